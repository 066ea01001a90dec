package io.verbena.tools.perf;

import io.verbena.tools.perf.PerfTest.Verb;
import io.verbena.tools.program.Owned;
import io.verbena.tools.program.ProgramException;
import io.verbena.verbs.AddressHandle;
import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Context;
import io.verbena.verbs.MemoryRegion;
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
///
/// - `channel`: for completion events; null when the completion queues are polled
/// - `keyLines`: one for each queue pair, to be sent to the peer
record PerfEndpoint(
        PerfParameters parameters,
        PerfPort port,
        Mtu mtu,
        BufferLayout layout,
        CompletionChannel channel,
        CompletionQueue sendCq,
        CompletionQueue receiveCq,
        MemoryRegion buffer,
        List<MeasuredQueuePair> queuePairs,
        List<KeyLine> keyLines,
        Owned owned)
        implements AutoCloseable {
    private static final int SEQUENCE_BITS = 24;

    /// Creates all but the queue pairs.
    static PerfEndpoint open(PerfParameters parameters, PerfPort port, Mtu mtu, BufferLayout layout) {
        var owned = new Owned();
        try {
            Context context = port.context();
            int count = parameters.queuePairs();
            CompletionChannel channel = parameters.events() ? owned.add(context.createCompletionChannel()) : null;
            return new PerfEndpoint(
                    parameters,
                    port,
                    mtu,
                    layout,
                    channel,
                    owned.add(context.createCompletionQueue(count * parameters.txDepth(), channel)),
                    owned.add(context.createCompletionQueue(count * receives(parameters), channel)),
                    owned.add(owned.add(context.allocateProtectionDomain())
                            .allocate(layout.bytes(), Access.LOCAL_WRITE, remoteAccess(parameters))),
                    new ArrayList<>(),
                    new ArrayList<>(),
                    owned);
        } catch (OutOfMemoryError e) {
            owned.close();
            throw new ProgramException(
                    "there is no memory for buffers of " + layout.bytes() + " bytes; lower -s or -q", e);
        } catch (RuntimeException e) {
            owned.close();
            throw e;
        }
    }

    private static int receives(PerfParameters parameters) {
        return parameters.test().verb() == Verb.SEND ? parameters.rxDepth() : 1;
    }

    /// Remote access that the peer gets to the buffer.
    static Access remoteAccess(PerfParameters parameters) {
        return switch (parameters.test().verb()) {
            case SEND, WRITE -> Access.REMOTE_WRITE;
            case READ -> Access.REMOTE_READ;
            case ATOMIC -> Access.REMOTE_ATOMIC;
        };
    }

    QueuePairOptions options() {
        return QueuePairOptions.of(parameters.transport(), sendCq, receiveCq)
                .sendRequests(parameters.txDepth())
                .receiveRequests(receives(parameters))
                .scatterGather(1, 1)
                .inlineBytes(parameters.inlineBytes());
    }

    /// Creates a queue pair without the connection manager.
    QueuePair createQueuePair() {
        return owned.add(buffer.protectionDomain().createQueuePair(options()));
    }

    /// Creates the queue pair of an id of the connection manager.
    QueuePair createQueuePair(ConnectionId id) {
        return owned.add(id.createQueuePair(buffer.protectionDomain(), options()));
    }

    AddressHandle createAddressHandle(KeyLine peer) {
        return owned.add(buffer.protectionDomain().createAddressHandle(port.to(peer)));
    }

    /// Adds a queue pair that is to be measured. In SEND tests fills its receive queue.
    void add(QueuePair qp) {
        int index = queuePairs.size();
        var queuePair = new MeasuredQueuePair(index, parameters, layout, buffer, qp);
        queuePairs.add(queuePair);
        keyLines.add(describe(qp, index));
        for (int i = 0; parameters.test().verb() == Verb.SEND && i < receives(parameters); i++) {
            if (!queuePair.postReceive()) {
                throw new IllegalStateException("the receive queue is full after " + i + " of " + receives(parameters));
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

    @Override
    public void close() {
        owned.close();
    }
}
