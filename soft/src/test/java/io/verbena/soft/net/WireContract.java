package io.verbena.soft.net;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Gid;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The contract of both wires on real sockets.
abstract class WireContract {
    private final InetAddress here = Loopback.next();
    private final InetAddress there = Loopback.next();
    private final Frames frames = new Frames();
    private Wire sender;
    private Wire receiver;

    abstract Wire open(InetAddress local);

    @BeforeEach
    void openWires() {
        sender = open(here);
        receiver = open(there);
    }

    @AfterAll
    static void giveBackLoopback() throws IOException {
        Loopback.releaseSix();
    }

    @AfterEach
    void closeWires() {
        sender.close();
        receiver.close();
    }

    @Test
    void shouldFindNothingWrongWithAWireThatWorksOrWasClosed() {
        sender.check();
        sender.close();
        sender.check();
    }

    /// Any thread that polls or posts uses the wire, and Java closes a channel in which an interrupted thread blocks.
    @Test
    void shouldStayOpenWhenAnInterruptedThreadUsesIt() {
        Thread.currentThread().interrupt();
        try {
            Frames.send(sender, there, 1, 64);
            receiver.await(1_000_000);
            receiver.receive(frames, 64);
        } finally {
            assertTrue(Thread.interrupted());
        }
        sender.check();
        receiver.check();
        Frames.send(sender, there, 2, 64);
        frames.await(receiver, 2);
        assertEquals(List.of(1, 2), frames.psns());
    }

    @Test
    void shouldCarryFramesOfAllSizes() {
        for (int length = 1; length <= Wire.FRAME_BYTES; length += length < 300 ? 1 : 127) {
            Frames one = new Frames();
            Frames.send(sender, there, length, length);
            one.await(receiver, 1);
            assertArrayEquals(Frames.pattern(length, length), one.received.getFirst());
            assertEquals(Gid.of(here), one.source);
            assertEquals(Wires.PORT, one.sourcePort);
        }
    }

    @Test
    void shouldCarryLargestPacketOfLink() {
        assertEquals(4096, sender.maxPayload());
        Frames.send(sender, there, 1, Wire.FRAME_BYTES);
        frames.await(receiver, 1);
        assertEquals(Wire.FRAME_BYTES, frames.received.getFirst().length);
    }

    @Test
    void shouldCarryBatchInOrder() {
        for (int round = 0; round < 10; round++) {
            IntStream.range(round * 64, round * 64 + 64).forEach(psn -> Frames.commit(sender, there, psn, 100));
            assertTrue(sender.flush());
            frames.await(receiver, round * 64 + 64);
        }
        assertEquals(IntStream.range(0, 640).boxed().toList(), frames.psns());
        assertEquals(0, sender.sendFailures());
    }

    @Test
    void shouldKeepClaimUntilCommitAndRefuseWhenFull() {
        assertEquals(sender.claim(), sender.claim());
        for (int i = 0; i < 64; i++) {
            Frames.commit(sender, there, i, 64);
        }
        assertEquals(-1, sender.claim());
        assertTrue(sender.flush());
        assertTrue(sender.claim() >= 0);
    }

    @Test
    void shouldRefuseCommitOfFrameThatWasNotClaimed() {
        int offset = sender.claim();
        assertThrows(
                IllegalStateException.class,
                () -> sender.commit(offset + Wire.FRAME_BYTES, 64, 0, 0xFFFF_7F00_0001L, Traffic.DEFAULT));
    }

    @Test
    void shouldReceiveNoMoreThanAskedFor() {
        IntStream.range(0, 20).forEach(psn -> Frames.commit(sender, there, psn, 64));
        sender.flush();
        receiver.await(1_000_000_000);
        int most = 0;
        while (frames.received.size() < 20) {
            most = Math.max(most, receiver.receive(frames, 7));
        }
        assertTrue(most <= 7, "at most 7, but " + most);
        assertEquals(0, receiver.receive(frames, 0));
    }

    @Test
    void shouldSendTheOthersWhenOneCannotLeave() {
        InetAddress unreachable = Loopback.address("192.0.2.1");
        Frames.commit(sender, there, 0, 64);
        Frames.commit(sender, unreachable, 1, 64);
        Frames.commit(sender, there, 2, 64);
        Frames.commit(sender, Loopback.address("2001:db8::1"), 3, 64);
        Frames.commit(sender, there, 4, 64);
        assertTrue(sender.flush());
        frames.await(receiver, 3);
        assertEquals(List.of(0, 2, 4), frames.psns());
        assertEquals(2, sender.sendFailures());
    }

    @Test
    void shouldHandOverDatagramThatIsTooLongCutToFrameLength() throws IOException {
        try (DatagramSocket socket = new DatagramSocket(0, here)) {
            byte[] bytes = new byte[2 * Wire.FRAME_BYTES];
            socket.send(new DatagramPacket(bytes, bytes.length, there, Wires.PORT));
        }
        Frames.send(sender, there, 7, 64);
        frames.await(receiver, 2);
        assertEquals(Wire.FRAME_BYTES, frames.received.getFirst().length);
        assertEquals(List.of(0, 7), frames.psns());
    }

    @Test
    void shouldSendToItself() {
        Frames.send(sender, here, 5, 64);
        frames.await(sender, 1);
        assertEquals(Gid.of(here), frames.source);
    }

    @Test
    void shouldCarryFramesOverIpv6() {
        try (Wire six = open(Loopback.six())) {
            IntStream.range(0, 3).forEach(psn -> Frames.commit(six, six.localAddress(), psn, 1000));
            six.flush();
            frames.await(six, 3);
            assertEquals(List.of(0, 1, 2), frames.psns());
            assertEquals(Gid.of(six.localAddress()), frames.source);
        }
    }

    @Test
    void shouldDoNothingOnceClosed() {
        Frames.commit(sender, there, 0, 64);
        sender.close();
        sender.close();
        assertTrue(sender.flush());
        assertEquals(0, sender.receive(frames, 1));
        sender.wakeup();
        sender.await(Long.MAX_VALUE);
        receiver.await(1_000_000);
        assertEquals(0, receiver.receive(frames, 1));
    }

    @Test
    void shouldExplainAddressThatIsTaken() throws IOException {
        InetAddress elsewhere = Loopback.next();
        try (DatagramSocket program = new DatagramSocket(new InetSocketAddress(elsewhere, Wires.PORT))) {
            RdmaException taken = assertThrows(RdmaException.class, () -> open(elsewhere));
            assertEquals(Errno.EADDRINUSE, taken.errno());
            String text = taken.getMessage();
            assertTrue(text.startsWith("open soft device " + elsewhere.getHostAddress() + ": UDP port 4791 of "), text);
            assertTrue(text.contains(" is taken by "), text);
            assertTrue(text.contains("127.x.y.z"), text);
            assertTrue(program.isBound());
        }
    }

    @Test
    void shouldExplainAddressOfAnotherHost() {
        RdmaException foreign = assertThrows(RdmaException.class, () -> open(Loopback.address("192.0.2.1")));
        assertEquals(Errno.EADDRNOTAVAIL, foreign.errno());
        assertTrue(foreign.getMessage().contains("this host has no address 192.0.2.1"), foreign.getMessage());
    }

    @Test
    void shouldAllocateNothingForFrames() {
        FrameHandler nothing = frame -> {};
        Gid to = Gid.of(there);
        for (int i = 0; i < 4; i++) {
            pump(nothing, to, 50_000);
        }
        long before = AllocatedBytes.now();
        pump(nothing, to, 100_000);
        long bytes = AllocatedBytes.now() - before;
        assertTrue(bytes < 4096, bytes + " bytes for 100000 frames");
        assertEquals(0, sender.sendFailures());
    }

    private void pump(FrameHandler handler, Gid to, int count) {
        int sent = 0;
        int received = 0;
        while (received < count) {
            for (int batch = 1 + sent % 3; batch > 0 && sent < count; batch--) {
                sender.commit(sender.claim(), 64, to.high(), to.low(), Traffic.DEFAULT);
                sent++;
            }
            sender.flush();
            received += receiver.receive(handler, 64);
        }
    }
}
