package io.verbena.soft.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.packet.Icrc;
import io.verbena.verbs.attr.Gid;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// Destinations that get many frames have a socket of their own, with a port of its own and, over IPv4, identifications
/// that count.
@EnabledOnOs(OS.LINUX)
class ConnectedSocketTest {
    private static final int IDENTIFICATION_AT = 4;
    private static final int SOURCE_PORT_AT = 20;
    private static final int FIRST_PORT = 0xC000;
    private static final int LENGTH = 64;

    private final InetAddress here = Loopback.next();
    private final InetAddress there = Loopback.next();
    private final Frames frames = new Frames();
    private final Icrc icrc = new Icrc();

    @AfterAll
    static void giveBackLoopback() throws IOException {
        Loopback.giveBackSix();
    }

    private static LinuxWire open(InetAddress local) {
        return new LinuxWire(local, 4096, Offload.ALL);
    }

    /// As a transmitter does it: asks for identification and port first. Returns both.
    private long commit(Wire wire, InetAddress to, int psn, int length) {
        int offset = wire.claim();
        ByteBuffer bytes = wire.sendBytes().put(offset, Frames.pattern(psn, length));
        Gid source = Gid.of(wire.localAddress());
        Gid gid = Gid.of(to);
        int identification = wire.identify(length, gid.high(), gid.low(), Traffic.DEFAULT);
        int port = wire.sourcePort();
        int end = offset + length - 4;
        Icrc.store(
                bytes,
                end,
                icrc.compute(
                        source.high(), source.low(), gid.high(), gid.low(), port, identification, bytes, offset, end));
        wire.commit(offset, length, gid.high(), gid.low());
        return (long) port << 32 | identification;
    }

    private static int port(long told) {
        return (int) (told >>> 32);
    }

    private long send(Wire wire, InetAddress to, int psn) {
        long told = commit(wire, to, psn, LENGTH);
        assertTrue(wire.flush());
        return told;
    }

    /// Sends and receives until the destination has a socket of its own.
    private void warmUp(Wire sender, InetAddress to, Wire receiver) {
        Frames taken = new Frames();
        for (int i = 1; i < ConnectedSockets.FRAMES; i++) {
            assertEquals(Wires.PORT, port(send(sender, to, i)), "frame " + i);
            taken.await(receiver, i);
        }
        assertEquals(ConnectedSockets.FRAMES - 1, taken.received.size());
    }

    @Test
    void shouldSendFromAPortOfItsOwnAfterManyFrames() {
        try (Wire sender = open(here);
                Wire receiver = open(there)) {
            warmUp(sender, there, receiver);
            int port = port(send(sender, there, 7));
            assertTrue(port >= FIRST_PORT, "port " + port);
            frames.await(receiver, 1);
            assertEquals(List.of(7), frames.psns());
            assertEquals(port, frames.sourcePort);
            assertEquals(Gid.of(here), frames.source);
            assertEquals(port, port(send(sender, there, 8)));
            assertEquals(0, sender.sendFailures());
        }
    }

    @Test
    void shouldSendFromAPortOfItsOwnOverIpv6() {
        InetAddress six = Loopback.six();
        try (Wire wire = open(six)) {
            warmUp(wire, six, wire);
            long told = send(wire, six, 7);
            assertTrue(port(told) >= FIRST_PORT, "port " + port(told));
            assertEquals(0, (int) told, "IPv6 has no identification");
            frames.await(wire, 1);
            assertEquals(List.of(7), frames.psns());
            assertEquals(port(told), frames.sourcePort);
            commit(wire, six, 8, 4112);
            commit(wire, six, 9, 4112);
            assertTrue(wire.flush());
            frames.await(wire, 3);
            assertEquals(List.of(7, 8, 9), frames.psns());
        }
    }

    @Test
    void shouldTellTheIdentificationThatThePacketCarries() {
        try (RawSocket raw = RawSocket.open(there);
                Wire sender = open(here);
                Wire receiver = open(there)) {
            Assumptions.assumeTrue(raw != null, "raw sockets need a privilege");
            warmUp(sender, there, receiver);
            for (byte[] packet = raw.next(here); packet != null; packet = raw.next(here)) {
                assertEquals(0, ByteBuffer.wrap(packet).getShort(IDENTIFICATION_AT));
            }
            for (int i = 0; i < 10; i++) {
                check(raw, send(sender, there, i));
            }
            long[] told = IntStream.range(0, 5)
                    .mapToLong(i -> commit(sender, there, i, 64 - 4 * i))
                    .toArray();
            assertTrue(sender.flush());
            // Trains of two or more are one packet here, which has the identification of its first frame.
            check(raw, told[0]);
            frames.await(receiver, 15);
            assertEquals(15, frames.received.size());
            while (raw.next(here) != null) {}
            check(raw, send(sender, there, 20));
        }
    }

    private void check(RawSocket raw, long told) {
        byte[] packet = raw.next(here);
        ByteBuffer header = ByteBuffer.wrap(packet);
        assertEquals((int) told, Short.toUnsignedInt(header.getShort(IDENTIFICATION_AT)));
        assertEquals(port(told), Short.toUnsignedInt(header.getShort(SOURCE_PORT_AT)));
    }

    @Test
    void shouldLoseNothingWhenThePeerComesBackAfterItWasAway() {
        try (Wire sender = open(here)) {
            try (Wire receiver = open(there)) {
                warmUp(sender, there, receiver);
                send(sender, there, 1);
            }
            // The system answers each of these with an error, which the next call meets.
            for (int i = 0; i < 20; i++) {
                commit(sender, there, i, LENGTH);
                commit(sender, there, i, 2 * LENGTH);
                assertTrue(sender.flush());
            }
            try (Wire receiver = open(there)) {
                assertNotEquals(Wires.PORT, port(send(sender, there, 5)));
                send(sender, there, 6);
                frames.await(receiver, 2);
                assertEquals(List.of(5, 6), frames.psns());
            }
            assertEquals(0, sender.sendFailures());
        }
    }

    @Test
    void shouldGoOnByTheOwnSocketWhenTheOtherIsRefused() {
        try (LinuxWire sender = open(here);
                Wire receiver = open(there)) {
            warmUp(sender, there, receiver);
            send(sender, there, 1);
            frames.await(receiver, 1);
            sender.wayTo(Gid.of(there).high(), Gid.of(there).low()).close();
            commit(sender, there, 2, LENGTH);
            commit(sender, there, 3, 2 * LENGTH);
            assertTrue(sender.flush());
            assertEquals(2, sender.sendFailures());
            assertEquals(Wires.PORT, port(send(sender, there, 4)));
            frames.await(receiver, 2);
            assertEquals(List.of(1, 4), frames.psns());
        }
    }

    @Test
    void shouldLeaveFramesWithTrafficOfTheirOwnAndUnaskedOnesToTheOwnSocket() {
        Gid to = Gid.of(there);
        try (Wire sender = open(here);
                Wire receiver = open(there)) {
            warmUp(sender, there, receiver);
            send(sender, there, 1);
            assertEquals(0, sender.identify(LENGTH, to.high(), to.low(), Traffic.of(0xB8, 7, 0)));
            assertEquals(Wires.PORT, sender.sourcePort());
            Frames.send(sender, there, 2, LENGTH, Traffic.of(0xB8, 7, 0));
            frames.await(receiver, 2);
            assertEquals(Wires.PORT, frames.sourcePort);
            sender.identify(LENGTH, to.high(), to.low(), Traffic.DEFAULT);
            Frames.send(sender, Loopback.address("::1"), 3, LENGTH);
            Frames.send(sender, there, 4, LENGTH);
            frames.await(receiver, 3);
            assertEquals(Wires.PORT, frames.sourcePort);
            assertEquals(List.of(1, 2, 4), frames.psns());
        }
    }

    @Test
    void shouldUseTheOwnSocketOnlyWhenNothingIsLeftToTheSystem() {
        try (Wire sender = new LinuxWire(here, 4096, Offload.NONE);
                Wire receiver = open(there)) {
            warmUp(sender, there, receiver);
            assertEquals(Wires.PORT, port(send(sender, there, 1)));
        }
    }

    @Test
    void shouldKeepNoMoreSocketsThanPlacesAndCloseThemWithTheWire() {
        int before = descriptors();
        try (Wire sender = open(here)) {
            for (int i = 0; i < 4 * ConnectedSockets.PLACES; i++) {
                InetAddress one = Loopback.address("127.201." + (i >> 8) + "." + (i & 0xFF));
                for (int psn = 0; psn <= 2 * ConnectedSockets.FRAMES; psn++) {
                    send(sender, one, psn);
                }
                assertNotEquals(Wires.PORT, port(send(sender, one, 0)), "destination " + i);
            }
            int open = descriptors() - before;
            assertTrue(open > 10 && open < ConnectedSockets.PLACES + 20, open + " descriptors");
        }
        assertTrue(descriptors() < before + 10, before + " before, " + descriptors() + " after");
    }

    private static int descriptors() {
        return new File("/proc/self/fd").list().length;
    }
}
