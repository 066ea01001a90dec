package io.verbena.soft.rig;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.header.Aeth;
import io.verbena.roce.header.AtomicAckEth;
import io.verbena.roce.header.Bth;
import io.verbena.roce.packet.Header;
import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.RoceConstants;
import io.verbena.soft.device.SoftDevice;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.net.SimulatedNetwork;
import io.verbena.soft.net.Steppable;
import io.verbena.soft.net.Traffic;
import io.verbena.soft.net.Wire;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Context;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.WorkCompletionHandler;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.attr.QueuePairState;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A device in a simulated network with a peer that the test scripts, packet by packet.
public final class ScriptedPeer implements AutoCloseable {
    public static final int MTU = 256;
    /// The queue pair number that the peer claims to have, and the PSNs both sides start with.
    public static final int PEER_QP = 0x77;

    public static final int PEER_PSN = 0xFF_FFFE;
    public static final int DEVICE_PSN = 0x00_1000;

    private static final Duration LONG_ENOUGH = Duration.ofMillis(1);
    private static final int PORT = 4791;
    private static final InetAddress DEVICE = InetAddress.ofLiteral("10.0.0.1");
    private static final InetAddress PEER = InetAddress.ofLiteral("10.0.0.66");
    private static final InetAddress STRANGER = InetAddress.ofLiteral("10.0.0.67");

    /// A packet that the device sent: `syndrome` and `msn` are -1 where there is no AETH, `original` is 0 where it
    /// answers no atomic.
    public record Frame(
            Opcode opcode, int psn, int syndrome, int msn, long original, int destinationQp, byte[] payload) {}

    public final Context context;
    public final ProtectionDomain pd;
    public final CompletionQueue cq;
    public final QueuePair qp;
    public final GuardedMemory memory;
    public final List<Frame> answers = new ArrayList<>();
    public final List<WorkCompletion> completions = new ArrayList<>();
    /// The IP header fields of the device's last packet.
    public long traffic;

    private final SimulatedNetwork network = new SimulatedNetwork(1);
    private final StoppableEnvironment ground = new StoppableEnvironment(network);
    private final Wire peer = network.wire(PEER);
    private final Wire stranger = network.wire(STRANGER);

    /// A device with a queue pair that allows everything to the peer, in RTS.
    public ScriptedPeer() {
        this(QueuePairChange.toRtr(AddressVector.to(PEER), PEER_QP, PEER_PSN), QueuePairChange.toRts(DEVICE_PSN));
    }

    public ScriptedPeer(QueuePairChange toRtr, QueuePairChange toRts) {
        network.add(new Steppable() {
            @Override
            public int step(long nowNs) {
                return peer.receive(ScriptedPeer.this::onFrame, 64);
            }

            @Override
            public long untilNextNs(long nowNs) {
                return Long.MAX_VALUE >> 1;
            }
        });
        context = new SoftDevice(DEVICE, ground).open();
        pd = context.allocateProtectionDomain();
        cq = context.createCompletionQueue(256);
        qp = pd.createQueuePair(QueuePairOptions.rc(cq).sendRequests(32).receiveRequests(32));
        memory = new GuardedMemory(pd, 64 * MTU);
        qp.modify(QueuePairChange.toInit()
                .access(
                        Access.REMOTE_READ,
                        Access.REMOTE_WRITE,
                        Access.REMOTE_ATOMIC,
                        Access.FLUSH_GLOBAL,
                        Access.FLUSH_PERSISTENT));
        qp.modify(toRtr.pathMtu(Mtu.MTU_256));
        if (toRts != null) {
            qp.modify(toRts);
        }
    }

    public static QueuePairChange toRtr() {
        return QueuePairChange.toRtr(AddressVector.to(PEER), PEER_QP, PEER_PSN);
    }

    public static QueuePairChange toRts() {
        return QueuePairChange.toRts(DEVICE_PSN);
    }

    private void onFrame(io.verbena.soft.net.Frame arrived) {
        traffic = arrived.traffic();
        MemorySegment frame = arrived.memory();
        int offset = arrived.offset();
        Opcode opcode = Opcode.of(Bth.opcode(frame, offset));
        boolean aeth = opcode.has(Header.AETH);
        int at = offset + opcode.headerBytes();
        int end = offset + arrived.length() - RoceConstants.ICRC_BYTES - Bth.padCount(frame, offset);
        answers.add(new Frame(
                opcode,
                Bth.psn(frame, offset),
                aeth ? Aeth.syndrome(frame, offset + opcode.offsetOf(Header.AETH)) : -1,
                aeth ? Aeth.msn(frame, offset + opcode.offsetOf(Header.AETH)) : -1,
                opcode.has(Header.ATOMICACKETH)
                        ? AtomicAckEth.original(frame, offset + opcode.offsetOf(Header.ATOMICACKETH))
                        : 0,
                Bth.destinationQp(frame, offset),
                frame.asSlice(at, end - at).toArray(ValueLayout.JAVA_BYTE)));
    }

    /// A request that is `after` packets behind the one the device expects first.
    public RawPacket request(Opcode opcode, int after) {
        return new RawPacket(opcode, qp.number(), PEER_PSN + after & 0xFF_FFFF);
    }

    /// An answer to the device's packet number `of`.
    public RawPacket response(Opcode opcode, int of) {
        return new RawPacket(opcode, qp.number(), DEVICE_PSN + of & 0xFF_FFFF);
    }

    public void send(RawPacket... packets) {
        for (RawPacket packet : packets) {
            put(peer, packet);
        }
        run();
    }

    /// Like [#send], but only a polling program runs the device: its handler runs before the device continues.
    public void sendWhilePolled(WorkCompletionHandler program, RawPacket... packets) {
        ground.still = true;
        for (RawPacket packet : packets) {
            put(peer, packet);
        }
        network.run(LONG_ENOUGH);
        cq.poll(program, 256);
        ground.still = false;
        run();
    }

    /// From an address that is not the peer's.
    public void sendFromStranger(RawPacket packet) {
        put(stranger, packet);
        run();
    }

    private void put(Wire wire, RawPacket packet) {
        Gid to = Gid.of(DEVICE);
        byte[] frame = packet.encode(Gid.of(wire.localAddress()), PORT, to);
        int at = wire.claim();
        wire.sendBytes().put(at, frame);
        wire.commit(at, frame.length, to.high(), to.low(), Traffic.DEFAULT);
        wire.flush();
    }

    public void run() {
        run(LONG_ENOUGH);
    }

    public void run(Duration time) {
        network.run(time);
        cq.poll(completion -> completions.add(completion.copy()), 256);
    }

    public void receive(long wrId, long into, long length) {
        assertTrue(qp.post(qp.newReceiveRequest().wrId(wrId).into(memory.region(), into, length)));
    }

    public void postSend(long wrId, int length) {
        assertTrue(qp.post(qp.newSendRequest()
                .wrId(wrId)
                .send()
                .from(memory.region(), 0, length)
                .signaled()));
    }

    public void postRead(long wrId, int into, int length) {
        assertTrue(qp.post(qp.newSendRequest()
                .wrId(wrId)
                .read(0x1234_5678_9000L, 0xABCD)
                .into(memory.region(), into, length)
                .signaled()));
    }

    public long count(Counter counter) {
        return context.counters().getOrDefault(counter.label(), 0L);
    }

    public List<CompletionStatus> statuses() {
        return completions.stream().map(WorkCompletion::status).toList();
    }

    /// Checks that the device answered with exactly this NAK and ended the connection, and that no memory changed.
    public void expectRefusal(int syndrome, int psnAfter) {
        assertEquals(1, answers.size(), answers::toString);
        assertEquals(Opcode.RC_ACKNOWLEDGE, answers.getFirst().opcode());
        assertEquals(syndrome, answers.getFirst().syndrome());
        assertEquals(PEER_PSN + psnAfter & 0xFF_FFFF, answers.getFirst().psn());
        assertEquals(PEER_QP, answers.getFirst().destinationQp());
        assertEquals(QueuePairState.ERR, qp.state());
        assertEquals(1, count(Counter.ERROR_NAKS_SENT));
        assertEquals(0, count(Counter.ENGINE_FAULTS));
        memory.assertGuardsUntouched();
    }

    /// Checks that the device counted the packet and otherwise ignored it.
    public void expectSilentDrop(Counter counter) {
        assertEquals(1, count(counter), () -> context.counters().toString());
        assertEquals(List.of(), answers);
        assertEquals(QueuePairState.RTS, qp.state());
        assertEquals(List.of(), completions);
        memory.assertUntouched();
    }

    @Override
    public void close() {
        context.closeAll();
    }
}
