package io.verbena.soft;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.packet.Opcode;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.net.Loopback;
import io.verbena.soft.rig.ConnectionEnd;
import io.verbena.soft.rig.LoopbackPair;
import io.verbena.soft.rig.RawPacket;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.attr.QueuePairState;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// Floods of forged packets: transfers stay correct, and the counters show the packets.
class HostileTrafficTest {
    private static final int ROCE_PORT = 4791;
    private static final int PART = 1 << 18;
    private static final int ROUNDS = 40;

    /// An attacker with a socket, who is not the peer.
    private static final class Stranger implements AutoCloseable {
        final InetAddress address = Loopback.next();
        final DatagramChannel channel;
        final ConnectionEnd victim;
        final int port;

        Stranger(ConnectionEnd victim) throws IOException {
            this.victim = victim;
            channel = DatagramChannel.open()
                    .setOption(jdk.net.ExtendedSocketOptions.IP_DONTFRAGMENT, true)
                    .bind(new InetSocketAddress(address, 0));
            port = ((InetSocketAddress) channel.getLocalAddress()).getPort();
        }

        byte[] encode(RawPacket packet) {
            return packet.encode(Gid.of(address), port, Gid.of(victim.address));
        }

        void send(byte[] frame) throws IOException {
            channel.send(ByteBuffer.wrap(frame), new InetSocketAddress(victim.address, ROCE_PORT));
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    private static RawPacket write(ConnectionEnd victim) {
        return new RawPacket(Opcode.RC_RDMA_WRITE_ONLY, victim.qp.number(), 0)
                .reth(victim.memory.address(), victim.memory.rkey(), 64)
                .payload(64);
    }

    /// One frame of each kind, and the counter that it must move.
    private static Map<Counter, byte[]> kinds(Stranger stranger) {
        ConnectionEnd victim = stranger.victim;
        Map<Counter, byte[]> kinds = new EnumMap<>(Counter.class);
        kinds.put(Counter.DROPPED_WRONG_ADDRESS, stranger.encode(write(victim)));
        kinds.put(Counter.DROPPED_BAD_ICRC, stranger.encode(write(victim).damagedIcrc()));
        kinds.put(Counter.DROPPED_TRUNCATED, stranger.encode(write(victim).cut(70)));
        kinds.put(Counter.DROPPED_UNKNOWN_OPCODE, stranger.encode(write(victim).opcode(0xFF)));
        kinds.put(Counter.DROPPED_BAD_VERSION, stranger.encode(write(victim).version(3)));
        kinds.put(Counter.DROPPED_BAD_PARTITION, stranger.encode(write(victim).partition(0x1234)));
        kinds.put(
                Counter.DROPPED_UNKNOWN_QP,
                stranger.encode(write(victim).destinationQp(victim.qp.number() ^ 0x55_5555)));
        kinds.put(Counter.DROPPED_WRONG_TRANSPORT, stranger.encode(write(victim).opcode(0x2A)));
        kinds.put(
                Counter.DROPPED_CONGESTION_NOTICE,
                stranger.encode(new RawPacket(Opcode.CNP, victim.qp.number(), 0).payload(new byte[16])));
        kinds.put(Counter.DROPPED_OVERSIZED, new byte[6000]);
        kinds.put(Counter.DROPPED_BAD_MAD, stranger.encode(write(victim).destinationQp(1)));
        return kinds;
    }

    private static Thread flood(Stranger stranger, Random random, AtomicReference<IOException> trouble) {
        List<byte[]> frames = new ArrayList<>(kinds(stranger).values());
        frames.add(new byte[0]);
        for (int i = 0; i < 100; i++) {
            byte[] garbage = new byte[random.nextInt(1, 4300)];
            random.nextBytes(garbage);
            frames.add(garbage);
        }
        return Thread.ofPlatform().name("stranger").start(() -> {
            for (int i = 0; !Thread.currentThread().isInterrupted(); i++) {
                try {
                    stranger.send(frames.get(i % frames.size()));
                } catch (java.nio.channels.ClosedByInterruptException done) {
                    return;
                } catch (IOException e) {
                    trouble.set(e);
                    return;
                }
            }
        });
    }

    @Test
    void shouldTransferCorrectlyUnderAFloodOfForeignPackets() throws Exception {
        Random random = new Random(7);
        AtomicReference<IOException> trouble = new AtomicReference<>();
        try (LoopbackPair pair = new LoopbackPair(4 * PART);
                Stranger toRight = new Stranger(pair.right);
                Stranger toLeft = new Stranger(pair.left)) {
            Thread first = flood(toRight, random, trouble);
            Thread second = flood(toLeft, random, trouble);
            try {
                for (int i = 0; i < ROUNDS; i++) {
                    transfer(pair, i);
                }
            } finally {
                first.interrupt();
                second.interrupt();
                first.join();
                second.join();
            }
            assertEquals(null, trouble.get());
            for (ConnectionEnd end : List.of(pair.left, pair.right)) {
                assertEquals(QueuePairState.RTS, end.qp.state());
                assertEquals(0, end.counter(Counter.ENGINE_FAULTS));
                assertTrue(end.counter(Counter.DROPPED_WRONG_ADDRESS) > 0, end.context.counters()::toString);
            }
        }
    }

    private static void transfer(LoopbackPair pair, int round) {
        byte[] data = pair.left.fill(0, PART, round);
        pair.left.completions.clear();
        pair.right.completions.clear();
        pair.right.receive(round, 2 * PART, PART);
        pair.left.write(1, 0, PART, PART);
        pair.left.send(2, 0, PART);
        pair.left.read(3, PART, PART, PART);
        pair.expect(pair.left, 3);
        pair.expect(pair.right, 1);
        assertArrayEquals(data, pair.right.bytes(PART, PART), "WRITE in round " + round);
        assertArrayEquals(data, pair.right.bytes(2 * PART, PART), "SEND in round " + round);
        assertArrayEquals(data, pair.left.bytes(PART, PART), "READ in round " + round);
    }

    @Test
    void shouldCountEachKindOfForeignPacketByItsName() throws Exception {
        try (LoopbackPair pair = new LoopbackPair(4096);
                Stranger stranger = new Stranger(pair.right)) {
            for (var kind : kinds(stranger).entrySet()) {
                stranger.send(kind.getValue());
                pair.driveUntil(() -> pair.right.counter(kind.getKey()) == 1);
            }
            assertArrayEquals(new byte[4096], pair.right.bytes(0, 4096));
            assertEquals(0, pair.right.counter(Counter.PACKETS_SENT), "strangers get no answer");
        }
    }

    /// A stranger that is the peer of another queue pair can only harm that one.
    @Test
    void shouldEndOnlyTheQueuePairWhosePeerUsesAWrongKey() throws Exception {
        try (LoopbackPair pair = new LoopbackPair(4 * PART);
                Stranger stranger = new Stranger(pair.right)) {
            QueuePair other = pair.right.pd.createQueuePair(QueuePairOptions.rc(pair.right.cq));
            ConnectionEnd.initialise(other);
            other.modify(QueuePairChange.toRtr(AddressVector.to(stranger.address), 0x42, 0)
                    .pathMtu(Mtu.MTU_1024));
            other.modify(QueuePairChange.toRts(0));
            stranger.send(stranger.encode(write(pair.right)
                    .destinationQp(other.number())
                    .reth(pair.right.memory.address(), pair.right.memory.rkey() + 1, 64)));
            pair.driveUntil(() -> other.state() == QueuePairState.ERR);
            assertEquals(1, pair.right.counter(Counter.ERROR_NAKS_SENT));
            stranger.send(stranger.encode(write(pair.right).destinationQp(other.number())));
            pair.driveUntil(() -> pair.right.counter(Counter.DROPPED_WRONG_STATE) == 1);
            transfer(pair, 1);
        }
    }
}
