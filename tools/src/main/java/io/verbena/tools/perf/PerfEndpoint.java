package io.verbena.tools.perf;

import io.verbena.tools.perf.PerfTest.Verb;
import io.verbena.tools.program.Owned;
import io.verbena.tools.program.ProgramException;
import io.verbena.verbs.AddressHandle;
import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Context;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.cm.ConnectionId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/// All verbs objects of one side: completion queues, the registered buffer, and the queue pairs, which a [Wiring] makes
/// and connects.
final class PerfEndpoint implements AutoCloseable {
    private static final int SEQUENCE_BITS = 24;

    private final PerfParameters parameters;
    private final PerfPort port;
    private final Mtu mtu;
    private final BufferLayout layout;
    private final CompletionChannel channel;
    private final CompletionQueue sendCq;
    private final CompletionQueue receiveCq;
    private final ProtectionDomain pd;
    private final MemoryRegion buffer;
    private final List<MeasuredQueuePair> queuePairs = new ArrayList<>();
    private final List<KeyLine> keyLines = new ArrayList<>();
    private final Owned owned = new Owned();

    PerfEndpoint(PerfParameters parameters, PerfPort port, Mtu mtu, BufferLayout layout) {
        this.parameters = parameters;
        this.port = port;
        this.mtu = mtu;
        this.layout = layout;
        try {
            Context context = port.context();
            int count = parameters.queuePairs();
            channel = parameters.events() ? owned.add(context.createCompletionChannel()) : null;
            sendCq = owned.add(context.createCompletionQueue(count * parameters.txDepth(), channel));
            receiveCq = owned.add(context.createCompletionQueue(count * receives(), channel));
            pd = owned.add(context.allocateProtectionDomain());
            buffer = owned.add(pd.allocate(layout.bytes(), Access.LOCAL_WRITE, remoteAccess()));
        } catch (OutOfMemoryError e) {
            close();
            throw new ProgramException(
                    "there is no memory for buffers of " + layout.bytes() + " bytes; lower -s or -q", e);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private int receives() {
        return parameters.test().verb() == Verb.SEND ? parameters.rxDepth() : 1;
    }

    /// Remote access that the peer gets to the buffer.
    Access remoteAccess() {
        return switch (parameters.test().verb()) {
            case SEND, WRITE -> Access.REMOTE_WRITE;
            case READ -> Access.REMOTE_READ;
            case ATOMIC -> Access.REMOTE_ATOMIC;
        };
    }

    QueuePairOptions options() {
        return QueuePairOptions.of(parameters.transport(), sendCq, receiveCq)
                .sendRequests(parameters.txDepth())
                .receiveRequests(receives())
                .scatterGather(1, 1)
                .inlineBytes(parameters.inlineBytes());
    }

    /// Creates a queue pair without the connection manager.
    QueuePair createQueuePair() {
        return owned.add(pd.createQueuePair(options()));
    }

    /// Creates the queue pair of an id of the connection manager.
    QueuePair createQueuePair(ConnectionId id) {
        return owned.add(id.createQueuePair(pd, options()));
    }

    AddressHandle createAddressHandle(KeyLine peer) {
        return owned.add(pd.createAddressHandle(port.to(peer)));
    }

    /// Adds a queue pair that is to be measured. In SEND tests fills its receive queue.
    void add(QueuePair qp) {
        int index = queuePairs.size();
        var queuePair = new MeasuredQueuePair(index, parameters, layout, buffer, qp);
        queuePairs.add(queuePair);
        keyLines.add(describe(qp, index));
        for (int i = 0; parameters.test().verb() == Verb.SEND && i < receives(); i++) {
            if (!queuePair.postReceive()) {
                throw new IllegalStateException("the receive queue is full after " + i + " of " + receives());
            }
        }
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

    /// One line for each queue pair, to be sent to the peer.
    List<KeyLine> keyLines() {
        return keyLines;
    }

    PerfParameters parameters() {
        return parameters;
    }

    PerfPort port() {
        return port;
    }

    Mtu mtu() {
        return mtu;
    }

    BufferLayout layout() {
        return layout;
    }

    List<MeasuredQueuePair> queuePairs() {
        return queuePairs;
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

    /// The channel for completion events; null when the completion queues are polled.
    CompletionChannel channel() {
        return channel;
    }

    @Override
    public void close() {
        owned.close();
    }
}
