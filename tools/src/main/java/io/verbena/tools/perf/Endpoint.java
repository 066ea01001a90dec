package io.verbena.tools.perf;

import io.verbena.tools.perf.PerfTest.Verb;
import io.verbena.tools.program.ProgramException;
import io.verbena.verbs.AddressHandle;
import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Context;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.attr.QueuePairType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/// All verbs objects of one side: completion queues, the registered buffer, and the queue pairs, brought up by
/// hand with what the peer says of its own.
final class Endpoint implements AutoCloseable {
    private static final int MIN_RNR_TIMER = 12; // 0.64 ms
    private static final int RNR_FOR_EVER = 7;
    private static final int SEQUENCE_BITS = 24;

    private final PerfParameters parameters;
    private final Port port;
    private final Mtu mtu;
    private final BufferLayout layout;
    private final CompletionChannel channel;
    private final CompletionQueue sendCq;
    private final CompletionQueue receiveCq;
    private final ProtectionDomain pd;
    private final MemoryRegion buffer;
    private final List<Lane> lanes = new ArrayList<>();
    private final List<KeyLine> keyLines = new ArrayList<>();
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    Endpoint(PerfParameters parameters, Port port, Mtu mtu, BufferLayout layout) {
        this.parameters = parameters;
        this.port = port;
        this.mtu = mtu;
        this.layout = layout;
        try {
            Context context = port.context();
            int count = parameters.queuePairs();
            channel = parameters.events() ? opened(context.createCompletionChannel()) : null;
            sendCq = opened(context.createCompletionQueue(count * parameters.txDepth(), channel));
            receiveCq = opened(context.createCompletionQueue(count * receives(), channel));
            pd = opened(context.allocateProtectionDomain());
            buffer = opened(pd.allocate(layout.bytes(), Access.LOCAL_WRITE, remoteAccess()));
            for (int i = 0; i < count; i++) {
                QueuePair qp = opened(pd.createQueuePair(options()));
                toInit(qp);
                lanes.add(new Lane(i, parameters, layout, buffer, qp));
                keyLines.add(describe(qp, i));
            }
        } catch (OutOfMemoryError e) {
            close();
            throw new ProgramException(
                    "there is no memory for buffers of " + layout.bytes() + " bytes; lower -s or -q", e);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private <T extends AutoCloseable> T opened(T object) {
        open.push(object);
        return object;
    }

    private int receives() {
        return parameters.test().verb() == Verb.SEND ? parameters.rxDepth() : 1;
    }

    private Access remoteAccess() {
        return switch (parameters.test().verb()) {
            case SEND, WRITE -> Access.REMOTE_WRITE;
            case READ -> Access.REMOTE_READ;
            case ATOMIC -> Access.REMOTE_ATOMIC;
        };
    }

    private QueuePairOptions options() {
        return QueuePairOptions.of(parameters.transport(), sendCq, receiveCq)
                .sendRequests(parameters.txDepth())
                .receiveRequests(receives())
                .scatterGather(1, 1)
                .inlineBytes(parameters.inlineBytes());
    }

    private void toInit(QueuePair qp) {
        qp.modify((parameters.transport() == QueuePairType.UD
                        ? QueuePairChange.toInit(Lane.QKEY)
                        : QueuePairChange.toInit().access(remoteAccess()))
                .port(port.number()));
    }

    private KeyLine describe(QueuePair qp, int index) {
        return new KeyLine(
                port.attributes().lid(),
                parameters.test().verb().isFetch() ? parameters.outstandingReads() : 1,
                qp.number(),
                ThreadLocalRandom.current().nextInt(1 << SEQUENCE_BITS),
                buffer.rkey(),
                buffer.address() + layout.receiveOffset(index),
                port.gid() == null ? null : port.gid().gid(),
                0);
    }

    /// One line for each queue pair, for the peer.
    List<KeyLine> keyLines() {
        return keyLines;
    }

    /// Brings the queue pairs to RTS.
    void connect(List<KeyLine> peers) {
        KeyLine first = peers.getFirst();
        if (port.gid() != null && first.gid().isIpv4() != port.gid().gid().isIpv4()) {
            throw new ProgramException("one side uses IPv4, the other IPv6: the GIDs are "
                    + port.gid().gid() + " here, " + first.gid()
                    + " there; choose others with -x or by the address of HOST");
        }
        for (int i = 0; i < lanes.size(); i++) {
            connect(lanes.get(i), keyLines.get(i), peers.get(i));
        }
    }

    private void connect(Lane lane, KeyLine own, KeyLine peer) {
        QueuePair qp = lane.queuePair();
        AddressHandle handle = null;
        switch (parameters.transport()) {
            case RC -> {
                qp.modify(QueuePairChange.toRtr(port.to(peer), peer.queuePair(), peer.packetSequence())
                        .pathMtu(mtu)
                        .maxDestinationReadAtomic(own.outstandingReads())
                        .minRnrTimer(MIN_RNR_TIMER));
                qp.modify(QueuePairChange.toRts(own.packetSequence())
                        .timeout(parameters.ackTimeout())
                        .retryCount(parameters.retryCount())
                        .rnrRetry(RNR_FOR_EVER)
                        .maxReadAtomic(Math.min(peer.outstandingReads(), parameters.outstandingReads())));
            }
            case UC -> {
                qp.modify(QueuePairChange.toRtrUnreliable(port.to(peer), peer.queuePair(), peer.packetSequence())
                        .pathMtu(mtu));
                qp.modify(QueuePairChange.toRtsUnreliable(own.packetSequence()));
            }
            case UD -> {
                qp.modify(QueuePairChange.toRtr());
                qp.modify(QueuePairChange.toRtsUnreliable(own.packetSequence()));
                handle = opened(pd.createAddressHandle(port.to(peer)));
            }
        }
        lane.peer(peer, handle);
    }

    /// Fills the receive queues.
    void postReceives() {
        for (Lane lane : lanes) {
            for (int i = 0; i < receives(); i++) {
                if (!lane.postReceive()) {
                    throw new IllegalStateException("the receive queue is full after " + i + " of " + receives());
                }
            }
        }
    }

    PerfParameters parameters() {
        return parameters;
    }

    BufferLayout layout() {
        return layout;
    }

    List<Lane> lanes() {
        return lanes;
    }

    MemoryRegion buffer() {
        return buffer;
    }

    CompletionQueue sendCq() {
        return sendCq;
    }

    CompletionQueue receiveCq() {
        return receiveCq;
    }

    /// Where completion queues announce news, or null when they are polled.
    CompletionChannel channel() {
        return channel;
    }

    /// Newest first.
    @Override
    public void close() {
        RuntimeException first = null;
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                first = first == null ? new ProgramException("cannot close: " + e.getMessage(), e) : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
