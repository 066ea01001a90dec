package io.verbena.sockets.protocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Two ends of a connection, step by step.
class StreamProtocolTest {
    private static final StreamSettings SETTINGS = new StreamSettings(16, 16, 128 * 1024, 128 * 1024, 2);

    private ProtocolPeer left = new ProtocolPeer(SETTINGS);
    private ProtocolPeer right = new ProtocolPeer(SETTINGS);

    private void connect() {
        left.protocol.onEstablished(right.protocol.offer());
        right.protocol.onEstablished(left.protocol.offer());
    }

    private void deliverAll() {
        while (!left.requests.isEmpty() || !right.requests.isEmpty()) {
            if (!left.requests.isEmpty()) {
                left.deliverOne(right);
            }
            if (!right.requests.isEmpty()) {
                right.deliverOne(left);
            }
        }
    }

    private static byte[] random(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    @Test
    void shouldAnnounceTheSecondBufferFirst() {
        connect();
        ProtocolPeer.Request first = left.requests.peek();
        assertEquals(0x80000010, first.word());
        assertEquals(16, first.bytes().length);
        assertEquals(right.protocol.offer().listAddress() + 16, first.address());
    }

    @Test
    void shouldTakeNoMoreThan64KiBWhileMessagesAreShort() {
        StreamSettings usual = new StreamSettings(64, 128, 256 * 1024, 512 * 1024, 8);
        left = new ProtocolPeer(usual);
        right = new ProtocolPeer(usual);
        connect();
        for (int i = 0; i < 1000; i++) {
            left.write(ByteBuffer.wrap(new byte[100]));
            deliverAll();
            assertEquals(100, right.read(1000).length);
            deliverAll();
        }
        assertTrue(registered(left) <= 64 * 1024, "registered: " + registered(left));
        assertTrue(registered(right) <= 64 * 1024, "registered: " + registered(right));
    }

    private static long registered(ProtocolPeer peer) {
        return peer.memories.stream()
                .mapToLong(memory -> memory.bytes().capacity())
                .sum();
    }

    @Test
    void shouldGoOnWithTheBuffersThatItHasWhenThereIsNoMoreMemory() {
        connect();
        left.isMemoryUsedUp = true;
        right.isMemoryUsedUp = true;
        byte[] sent = random(new Random(7), 300_000);
        ByteBuffer from = ByteBuffer.wrap(sent);
        ByteArrayOutputStream got = new ByteArrayOutputStream();
        while (got.size() < sent.length) {
            int written = left.write(from);
            assertEquals(left.protocol.hasRoom(), !from.hasRemaining(), "room, after %d bytes".formatted(written));
            deliverAll(); // fills whole buffers, so they would grow
            got.writeBytes(right.read(100_000));
            deliverAll();
            assertTrue(left.protocol.hasRoom());
        }
        assertArrayEquals(sent, got.toByteArray());
        assertEquals(1, left.memories.size());
        assertEquals(1, right.memories.size());
    }

    @Test
    void shouldSendOneMessageForOneWrite() {
        connect();
        deliverAll();
        left.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        assertEquals(1, left.requests.size());
        assertEquals(3, left.requests.peek().word());
        deliverAll();
        assertArrayEquals(new byte[] {1, 2, 3}, right.read(10));
    }

    @Test
    void shouldCoalesceSmallWritesWhenCreditsAreUsedUp() {
        connect();
        deliverAll();
        for (int i = 0; i < 100; i++) {
            assertEquals(10, left.write(ByteBuffer.wrap(new byte[10])));
        }
        int sent = left.requests.size();
        assertTrue(sent <= 16, sent + " messages");
        deliverAll();
        assertEquals(1000, right.protocol.readable());
    }

    @Test
    void shouldKeepToTheIdleSizeWhenLittleIsSent() {
        connect();
        for (int i = 0; i < 10_000; i++) {
            left.write(ByteBuffer.wrap(new byte[100]));
            deliverAll();
            assertEquals(100, right.read(1000).length);
        }
        assertEquals(1, left.memories.size());
        assertEquals(1, right.memories.size());
        assertTrue(left.memories.getFirst().bytes().capacity() <= 40 * 1024);
    }

    @Test
    void shouldTellThePeerWhenAllWasSent() {
        connect();
        deliverAll();
        left.write(ByteBuffer.wrap(new byte[5]));
        left.protocol.endOutput();
        deliverAll();
        assertTrue(right.protocol.isInputEnded());
        assertFalse(right.protocol.isPeerDisconnected());
        assertEquals(5, right.protocol.readable());
        right.write(ByteBuffer.wrap(new byte[7]));
        right.protocol.endOutput(); // the input is closed: DISCONNECT
        assertEquals(Word.DISCONNECT, right.requests.peekLast().word());
        deliverAll();
        assertTrue(left.protocol.isPeerDisconnected());
        assertEquals(7, left.protocol.readable());
        assertTrue(right.protocol.isDisconnectConfirmed());
    }

    @Test
    void shouldSendNoDisconnectWhenBothShutDownAtOnce() {
        connect();
        deliverAll();
        left.protocol.endOutput();
        right.protocol.endOutput();
        assertEquals(Word.SHUTDOWN, left.requests.peekLast().word());
        deliverAll();
        assertTrue(left.protocol.isPeerDisconnected());
        assertTrue(right.protocol.isPeerDisconnected());
    }

    @Test
    void shouldDisconnectBehindWhatWasWritten() {
        connect();
        deliverAll();
        byte[] sent = random(new Random(1), 100_000);
        ByteBuffer from = ByteBuffer.wrap(sent);
        left.write(from);
        int written = from.position();
        left.protocol.disconnect();
        ByteArrayOutputStream got = new ByteArrayOutputStream();
        while (!left.protocol.isDisconnectConfirmed()) {
            deliverAll();
            got.writeBytes(right.read(5000));
        }
        got.writeBytes(right.read(1 << 20));
        assertEquals(written, got.size());
        assertTrue(right.protocol.isPeerDisconnected());
    }

    @Test
    void shouldKeepMessagesThatComeBeforeTheConnectionIsEstablished() {
        left.protocol.onEstablished(right.protocol.offer());
        left.write(ByteBuffer.wrap(new byte[] {9}));
        while (!left.requests.isEmpty()) {
            left.deliverOne(right);
        }
        right.protocol.onEstablished(left.protocol.offer());
        assertArrayEquals(new byte[] {9}, right.read(10));
    }

    @Test
    void shouldRefuseWhatAPeerMustNotSend() {
        connect();
        deliverAll();
        StreamProtocol protocol = right.protocol;
        assertThrows(ProtocolException.class, () -> protocol.onWord(100, 50)); // a lie about the length
        assertThrows(ProtocolException.class, () -> protocol.onWord(1 << 20, 1 << 20)); // beyond the buffer
        assertThrows(ProtocolException.class, () -> protocol.onWord(0x80000000 | 17, 0)); // too many credits
        assertThrows(ProtocolException.class, () -> protocol.onWord(0x80000010, 8)); // half an entry
        assertThrows(ProtocolException.class, () -> protocol.onWord(0xc0000002, 24)); // no such map
        assertThrows(ProtocolException.class, () -> protocol.onWord(0x20000001, 1)); // reserved
        protocol.onWord(0, 0); // no bytes: harmless
        assertEquals(0, protocol.readable());
    }

    @Test
    void shouldTellThePeerOfMapsBeforeBytesThatWereWrittenLater() {
        connect(); // a control word is on its way
        int index = 0;
        left.protocol.maps().add(index++, 0, 0x5000, 77, 64);
        left.protocol.maps().add(index++, 100, 0x6000, 77, 64);
        left.protocol.sendAddedMaps();
        left.protocol.maps().add(0, 0, 0x7000, 77, 64);
        left.protocol.maps().add(1, 100, 0x8000, 77, 64);
        left.protocol.sendAddedMaps(); // more than control words may be in flight
        left.write(ByteBuffer.wrap(new byte[] {1}));
        while (right.protocol.readable() == 0) {
            left.deliverOne(right);
        }
        assertEquals(new Maps.Target(0x8000, 77, 64), right.protocol.maps().find(100));
    }

    @Test
    void shouldTellThePeerOfMaps() {
        connect();
        deliverAll();
        left.protocol.maps().add(1, 1000, 0x5000, 77, 64);
        left.protocol.sendAddedMaps();
        deliverAll();
        assertEquals(new Maps.Target(0x5000 + 4, 77, 60), right.protocol.maps().find(1004));
        assertEquals(null, right.protocol.maps().find(1064));
    }

    @Test
    void shouldCarryRandomWritesAndReadsUnchanged() {
        long seed = Long.getLong("verbena.test.seed", System.nanoTime());
        for (int run = 0; run < 50; run++) {
            try {
                exchange(new Random(seed + run));
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("-Dverbena.test.seed=" + (seed + run), e);
            }
        }
    }

    private void exchange(Random random) {
        left = new ProtocolPeer(settings(random));
        right = new ProtocolPeer(settings(random));
        connect();
        byte[] sent = random(random, 1 + random.nextInt(400_000));
        ByteBuffer from = ByteBuffer.wrap(sent);
        ByteArrayOutputStream got = new ByteArrayOutputStream();
        int idle = 0;
        while (got.size() < sent.length) {
            boolean moved = false;
            switch (random.nextInt(4)) {
                case 0 -> {
                    int most = random.nextInt(5) == 0 ? 100_000 : 300;
                    ByteBuffer part = from.slice();
                    part.limit(Math.min(part.remaining(), 1 + random.nextInt(most)));
                    int n = left.write(part);
                    from.position(from.position() + n);
                    moved = n > 0;
                }
                case 1 -> {
                    byte[] read = right.read(1 + random.nextInt(50_000));
                    got.writeBytes(read);
                    moved = read.length > 0;
                }
                case 2 -> {
                    moved = !left.requests.isEmpty();
                    if (moved) {
                        left.deliverOne(right);
                    }
                }
                default -> {
                    moved = !right.requests.isEmpty();
                    if (moved) {
                        right.deliverOne(left);
                    }
                }
            }
            idle = moved ? 0 : idle + 1;
            assertTrue(idle < 1000, "nothing moves after %d of %d bytes".formatted(got.size(), sent.length));
        }
        assertArrayEquals(sent, got.toByteArray());
    }

    private static StreamSettings settings(Random random) {
        return new StreamSettings(
                16 + random.nextInt(50),
                16 + random.nextInt(50),
                random.nextInt(300_000),
                random.nextInt(300_000),
                random.nextInt(3));
    }
}
