package io.verbena.soft.local;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.packet.Opcode;
import io.verbena.soft.OverSharedMemory;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.net.Wires;
import io.verbena.soft.rig.RawPacket;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.QueuePairState;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// A connection has one path: a connection through shared memory drops packets, even those with the right address,
/// queue pair and PSN.
@EnabledOnOs(OS.LINUX)
class ForgedPacketsTest implements OverSharedMemory {
    private static final int INTO = 5000;

    private SharedPair pair;
    /// A socket with the left device's address and another port, which RoCE senders may use.
    private DatagramChannel forger;

    @BeforeEach
    void open() throws IOException {
        pair = new SharedPair(SharedPair.PATIENT);
        forger = DatagramChannel.open(StandardProtocolFamily.INET).bind(new InetSocketAddress(pair.left.address, 0));
    }

    @AfterEach
    void close() throws IOException {
        pair.close();
        forger.close();
    }

    /// Sends packets to the right device as if the left one did, and waits until all are counted as dropped.
    private void expectDropped(RawPacket... packets) throws IOException {
        long before = pair.right.counter(Counter.DROPPED_LOCAL);
        int port = ((InetSocketAddress) forger.getLocalAddress()).getPort();
        for (RawPacket packet : packets) {
            byte[] frame = packet.encode(Gid.of(pair.left.address), port, Gid.of(pair.right.address));
            forger.send(ByteBuffer.wrap(frame), new InetSocketAddress(pair.right.address, Wires.PORT));
        }
        assertTrue(
                pair.driveUntil(() -> pair.right.counter(Counter.DROPPED_LOCAL) == before + packets.length),
                pair::state);
        assertEquals(0, pair.right.counter(Counter.PACKETS_SENT), "answered");
    }

    private RawPacket send(int psn) {
        return new RawPacket(Opcode.RC_SEND_ONLY, pair.right.qp.number(), psn)
                .payload(100)
                .ackRequested();
    }

    /// The next message of the real peer arrives as it was sent.
    private void expectNextMessage() {
        int before = pair.right.completions.size();
        byte[] data = pair.left.fill(0, 100, before);
        pair.left.completions.clear();
        pair.left.send(1, 0, 100);
        assertTrue(
                pair.driveUntil(() -> pair.right.completions.size() == before + 1 && pair.left.completions.size() == 1),
                pair::state);
        assertEquals(List.of(CompletionStatus.SUCCESS), pair.left.statuses());
        assertEquals(CompletionStatus.SUCCESS, pair.right.completions.getLast().status());
        assertArrayEquals(data, pair.right.bytes(INTO, 100));
        assertEquals(0, pair.left.counter(Counter.PACKETS_SENT));
        assertEquals(QueuePairState.RTS, pair.right.qp.state());
        assertEquals(QueuePairState.RTS, pair.left.qp.state());
    }

    @Test
    void shouldDeliverNoForgedSend() throws IOException {
        pair.right.receive(7, INTO, 100);
        pair.right.receive(8, INTO, 100);
        expectDropped(send(SharedPair.LEFT_PSN), send(SharedPair.LEFT_PSN + 1));
        assertEquals(0, pair.right.completions.size());
        assertArrayEquals(new byte[100], pair.right.bytes(INTO, 100));
        expectNextMessage();
        expectDropped(send(SharedPair.LEFT_PSN), send(SharedPair.LEFT_PSN + 1), send(SharedPair.LEFT_PSN + 2));
        expectNextMessage();
        assertEquals(2, pair.right.completions.size());
    }

    @Test
    void shouldWriteReadAndChangeNothing() throws IOException {
        long address = pair.right.memory.address();
        int rkey = pair.right.memory.rkey();
        byte[] before = pair.right.bytes(0, SharedPair.BYTES);
        int qp = pair.right.qp.number();
        int psn = SharedPair.LEFT_PSN;
        expectDropped(
                new RawPacket(Opcode.RC_RDMA_WRITE_ONLY, qp, psn)
                        .reth(address, rkey, 100)
                        .payload(100),
                new RawPacket(Opcode.RC_RDMA_WRITE_ONLY, qp, psn)
                        .reth(address, rkey ^ 0x55, 100)
                        .payload(100),
                new RawPacket(Opcode.RC_RDMA_READ_REQUEST, qp, psn).reth(address, rkey, 100),
                new RawPacket(Opcode.RC_FETCH_ADD, qp, psn).atomic(address, rkey, 1, 0));
        assertArrayEquals(before, pair.right.bytes(0, SharedPair.BYTES));
        pair.right.receive(8, INTO, 100);
        expectNextMessage();
    }

    /// The right queue pair waits for the left one, which has no receive. A forged response must not complete its
    /// request, with success or with an error.
    @Test
    void shouldBelieveNoForgedAnswer() throws IOException {
        pair.right.send(3, INTO, 100);
        int qp = pair.right.qp.number();
        int psn = SharedPair.RIGHT_PSN;
        expectDropped(
                new RawPacket(Opcode.RC_ACKNOWLEDGE, qp, psn).aeth(0x1F, 1),
                new RawPacket(Opcode.RC_ACKNOWLEDGE, qp, psn).aeth(0x62, 1),
                new RawPacket(Opcode.RC_ACKNOWLEDGE, qp, psn).aeth(0x60, 1));
        assertEquals(0, pair.right.completions.size(), pair::state);
        pair.left.receive(9, INTO, 100);
        assertTrue(pair.driveUntil(() -> pair.right.completions.size() == 1), pair::state);
        assertEquals(List.of(CompletionStatus.SUCCESS), pair.right.statuses());
    }

    /// Before the real peer has a lane, a packet makes this side look for the lane, and is dropped, too.
    @Test
    void shouldDropForgedPacketsBeforeThePeerIsThere() throws IOException {
        pair.left.qp.modify(QueuePairChange.to(QueuePairState.RESET));
        pair.right.qp.modify(QueuePairChange.to(QueuePairState.RESET));
        pair.initialise();
        pair.right.receive(8, INTO, 100);
        pair.joinRight(SharedPair.PATIENT);
        expectDropped(send(SharedPair.LEFT_PSN));
        assertEquals(0, pair.right.completions.size());
        pair.joinLeft(SharedPair.PATIENT);
        expectNextMessage();
    }
}
