package io.verbena.soft.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.option.Offload;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Gid;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GroupTest {
    /// Linux routes no IPv6 groups over the loopback interface.
    private static final InetAddress SIX = Loopback.global6().orElse(Loopback.address("::1"));

    private static void requireRoute() {
        Assumptions.assumeFalse(SIX.isLoopbackAddress(), "this host has no IPv6 address but ::1");
    }

    /// The scope of the group: ff01 is the interface, ff02 the link; both need an interface.
    private static void shouldHear(Wire wire, String prefix) {
        int number = (int) (ProcessHandle.current().pid() & 0xFF);
        InetAddress group = Loopback.address(prefix + "::77:3:" + number);
        Gid gid = Gid.of(group);
        Frames frames = new Frames();
        wire.join(gid.high(), gid.low());
        Frames.send(wire, group, 1, 64);
        frames.await(wire, 1);
        assertEquals(List.of(1), frames.psns());
        assertEquals(gid, frames.destination);
        assertEquals(0, wire.sendFailures());
    }

    private static void shouldRefuseWhatNeverArrives(Function<InetAddress, Wire> opening) throws IOException {
        Gid group = Gid.of(Loopback.address("ff15::77:4"));
        try (Wire wire = opening.apply(Loopback.six())) {
            RdmaException refused = assertThrows(RdmaException.class, () -> wire.join(group.high(), group.low()));
            assertEquals(Errno.ENETUNREACH, refused.errno());
            assertTrue(refused.getMessage().contains("no route to IPv6 groups"), refused.getMessage());
        } finally {
            Loopback.releaseSix();
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldRefuseGroupsOnIpv6LoopbackWithSystemCalls() throws IOException {
        shouldRefuseWhatNeverArrives(local -> new LinuxWire(local, 4096, Offload.ALL));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldRefuseGroupsOnIpv6LoopbackWithChannels() throws IOException {
        shouldRefuseWhatNeverArrives(local -> new UdpWire(local, 4096));
    }

    @Nested
    @EnabledOnOs(OS.LINUX)
    class LinuxOverIpv4 extends GroupContract {
        LinuxOverIpv4() {
            super(Loopback.next(), Loopback.next());
        }

        @Override
        Wire open(InetAddress local) {
            return new LinuxWire(local, 4096, Offload.ALL);
        }
    }

    @Nested
    @EnabledOnOs(OS.LINUX)
    class LinuxOverIpv6 extends GroupContract {
        LinuxOverIpv6() {
            super(SIX, SIX);
        }

        @Override
        Wire open(InetAddress local) {
            requireRoute();
            return new LinuxWire(local, 4096, Offload.ALL);
        }

        @Test
        void shouldSetFlowLabel() {
            receiver.revealTraffic();
            Frames.send(sender, SIX, 1, 64, Traffic.of(0, 64, 0x12345));
            await(frames, 1);
            assertEquals(0x12345, Traffic.flowLabel(frames.traffic));
        }

        @ParameterizedTest
        @ValueSource(strings = {"ff11", "ff12", "ff02"})
        void shouldHearGroupsOfInterfaceAndLink(String prefix) {
            shouldHear(receiver, prefix);
        }
    }

    @Nested
    class UdpOverIpv4 extends GroupContract {
        UdpOverIpv4() {
            super(Loopback.next(), Loopback.next());
        }

        @Override
        Wire open(InetAddress local) {
            return new UdpWire(local, 4096);
        }

        @Override
        boolean seesTraffic() {
            return false;
        }
    }

    @Nested
    class UdpOverIpv6 extends GroupContract {
        UdpOverIpv6() {
            super(SIX, SIX);
        }

        @Override
        Wire open(InetAddress local) {
            requireRoute();
            return new UdpWire(local, 4096);
        }

        @Override
        boolean seesTraffic() {
            return false;
        }

        @ParameterizedTest
        @ValueSource(strings = {"ff11", "ff12", "ff02"})
        void shouldHearGroupsOfInterfaceAndLink(String prefix) {
            shouldHear(receiver, prefix);
        }
    }

    /// One kind of wire sends, the other receives.
    @Nested
    @EnabledOnOs(OS.LINUX)
    class UdpToLinux extends GroupContract {
        UdpToLinux() {
            super(Loopback.next(), Loopback.next());
        }

        @Override
        Wire open(InetAddress local) {
            return sender == null ? new UdpWire(local, 4096) : new LinuxWire(local, 4096, Offload.ALL);
        }

        @Override
        boolean setsHopLimit() {
            return false;
        }
    }

    @Nested
    class SimulatedOverIpv4 extends SimulatedGroups {
        SimulatedOverIpv4() {
            super("10.0.0.1", "10.0.0.2");
        }
    }

    @Nested
    class SimulatedOverIpv6 extends SimulatedGroups {
        SimulatedOverIpv6() {
            super("fd00::1", "fd00::2");
        }
    }

    abstract static class SimulatedGroups extends GroupContract {
        private final SimulatedNetwork network = new SimulatedNetwork(1);

        SimulatedGroups(String here, String there) {
            super(Loopback.address(here), Loopback.address(there));
        }

        @Override
        Wire open(InetAddress local) {
            return network.wire(local);
        }

        @Override
        void await(Frames into, int count) {
            network.run(Duration.ofMillis(1));
            receiver.receive(into, 64);
        }
    }
}
