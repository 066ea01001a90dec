package io.verbena.soft.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.option.Offload;
import io.verbena.soft.os.DescriptorCalls;
import io.verbena.soft.os.SocketCalls;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Gid;
import java.io.File;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class LinuxWireTest extends WireContract {
    private static final int DATAGRAM = 2;
    private static final int UDP = 17;
    private static final int UDP_NO_CHECK6_TX = 101;

    @Override
    Wire open(InetAddress local) {
        return new LinuxWire(local, LocalInterface.maxPayload(local), Offload.ALL);
    }

    @Test
    void shouldNoticeADescriptorThatIsNotOpen() {
        int never = 1 << 30;
        InetAddress local = Loopback.next();
        assertThrows(IllegalStateException.class, () -> LinuxSocket.requireAlive(never, local));
        LinuxWaiter waiter = new LinuxWaiter(local, never);
        assertThrows(IllegalStateException.class, () -> waiter.await(1_000_000_000, false));
        waiter.close();
    }

    @Test
    void shouldLeaveNoDescriptorOpen() {
        InetAddress local = Loopback.next();
        open(local).close();
        int before = descriptors();
        for (int i = 0; i < 100; i++) {
            open(local).close();
            assertThrows(RdmaException.class, () -> open(Loopback.address("192.0.2.1")));
        }
        assertTrue(descriptors() < before + 50, before + " before, " + descriptors() + " after");
    }

    /// Kernel and hardware peers send no UDP checksum over IPv6, and by default the system drops such datagrams.
    @Test
    void shouldTakeIpv6DatagramsWithoutUdpChecksum() {
        InetAddress six = Loopback.six();
        SocketAddresses addresses = new SocketAddresses(six);
        MemorySegment name = Arena.ofAuto().allocate(SocketAddresses.SLOT_BYTES, Long.BYTES);
        addresses.prepare(name, 0, Wires.PORT);
        addresses.write(name, 0, 0, 1, 0);
        MemorySegment frame = Arena.ofAuto().allocate(64);
        MemorySegment.copy(MemorySegment.ofArray(Frames.pattern(5, 64)), 0, frame, 0, 64);
        int fd = SocketCalls.socket(addresses.family(), DATAGRAM, UDP);
        Frames frames = new Frames();
        try (Wire wire = open(six)) {
            assertEquals(0, LinuxWireCalls.setsockopt(fd, UDP, UDP_NO_CHECK6_TX, 1));
            assertEquals(64, LinuxWireCalls.sendto(fd, frame.address(), 64, 0, name.address(), addresses.bytes()));
            frames.await(wire, 1);
        } finally {
            DescriptorCalls.close(fd);
        }
        assertEquals(List.of(5), frames.psns());
    }

    @Test
    void shouldAllocateNothingForFramesWithTrafficOfTheirOwn() {
        InetAddress local = Loopback.next();
        Gid to = Gid.of(local);
        try (Wire wire = open(local)) {
            wire.revealTraffic();
            pump(wire, to, 200_000);
            long before = AllocatedBytes.now();
            pump(wire, to, 50_000);
            long bytes = AllocatedBytes.now() - before;
            assertTrue(bytes < 4096, bytes + " bytes for 50000 frames");
        }
    }

    private static void pump(Wire wire, Gid to, int count) {
        FrameHandler nothing = frame -> {};
        for (int sent = 0, received = 0; received < count; received += wire.receive(nothing, 64)) {
            for (int batch = 1 + sent % 3; batch > 0 && sent < count; batch--) {
                wire.commit(wire.claim(), 64, to.high(), to.low(), Traffic.of(sent & 0xFF, 7, 0));
                sent++;
            }
            wire.flush();
        }
    }

    private static int descriptors() {
        return new File("/proc/self/fd").list().length;
    }
}
