package io.verbena.soft.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.time.Duration;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class GroupTest {
    /// Linux routes no IPv6 groups over the loopback interface.
    private static final InetAddress SIX = Loopback.global6().orElse(Loopback.address("::1"));

    private static void requireRoute() {
        Assumptions.assumeFalse(SIX.isLoopbackAddress(), "this host has no IPv6 address but ::1");
    }

    @Nested
    @EnabledOnOs(OS.LINUX)
    class LinuxOverIpv4 extends GroupContract {
        LinuxOverIpv4() {
            super(Loopback.next(), Loopback.next());
        }

        @Override
        Wire open(InetAddress local) {
            return new LinuxWire(local, 4096);
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
            return new LinuxWire(local, 4096);
        }

        @Test
        void shouldSetFlowLabel() {
            receiver.revealTraffic();
            Frames.send(sender, SIX, 1, 64, Traffic.of(0, 64, 0x12345));
            await(frames, 1);
            assertEquals(0x12345, Traffic.flowLabel(frames.traffic));
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
    }

    /// The one sends what the other hears.
    @Nested
    @EnabledOnOs(OS.LINUX)
    class UdpToLinux extends GroupContract {
        UdpToLinux() {
            super(Loopback.next(), Loopback.next());
        }

        @Override
        Wire open(InetAddress local) {
            return sender == null ? new UdpWire(local, 4096) : new LinuxWire(local, 4096);
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
