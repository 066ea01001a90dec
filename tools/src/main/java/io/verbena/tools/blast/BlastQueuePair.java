package io.verbena.tools.blast;

import io.verbena.tools.program.CompletionLoop;
import io.verbena.tools.program.Owned;
import io.verbena.tools.program.Waiting;
import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionHandler;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionParameters;
import java.time.Duration;

/// What both sides make before they connect: buffers for the messages and for the acknowledgements, a completion queue
/// and a queue pair. On one side messages are sent and acknowledgements received, on the other it is the reverse.
final class BlastQueuePair implements AutoCloseable {
    /// As the C program asks.
    static final ConnectionParameters PARAMETERS =
            ConnectionParameters.DEFAULT.withReads(2, 2).withRetries(5, 5);

    /// Numbers of requests: they say what failed, because a failed completion has no opcode.
    static final long MESSAGE = 0;

    static final long ACKNOWLEDGEMENT = 1;

    /// How a side waits.
    record Patience(Duration timeout, boolean spin) {}

    private final Owned owned = new Owned();
    private final MemoryRegion messages;
    private final MemoryRegion acknowledgements;
    private final QueuePair qp;
    private final CompletionLoop loop;

    /// @param sends whether this side sends the messages
    BlastQueuePair(
            ConnectionId id,
            BlastParameters parameters,
            boolean sends,
            Patience patience,
            CompletionHandler onSuccess) {
        ProtectionDomain pd = id.protectionDomain();
        int buffers = (int) parameters.buffers();
        CompletionQueue cq;
        try {
            CompletionChannel channel = owned.add(id.context().createCompletionChannel());
            cq = owned.add(id.context().createCompletionQueue(buffers + Acknowledgement.BUFFERS, channel));
            messages = owned.add(pd.allocate(parameters.size() * buffers, Access.LOCAL_WRITE));
            acknowledgements =
                    owned.add(pd.allocate((long) Acknowledgement.BYTES * Acknowledgement.BUFFERS, Access.LOCAL_WRITE));
            qp = owned.add(id.createQueuePair(
                    pd,
                    QueuePairOptions.rc(cq)
                            .sendRequests(sends ? buffers : Acknowledgement.BUFFERS)
                            .receiveRequests(sends ? Acknowledgement.BUFFERS : buffers)));
        } catch (RuntimeException e) {
            owned.close();
            throw e;
        }
        loop = new CompletionLoop(
                cq,
                patience.spin ? Waiting.spinning() : Waiting.notified(cq),
                CompletionLoop.Peer.of(id),
                patience.timeout,
                onSuccess,
                wrId -> wrId == MESSAGE
                        ? (sends ? "SEND of a message" : "RECEIVE of a message")
                        : (sends ? "RECEIVE of an acknowledgement" : "SEND of an acknowledgement"));
    }

    QueuePair qp() {
        return qp;
    }

    CompletionLoop loop() {
        return loop;
    }

    /// All buffers for messages, one behind the other.
    MemoryRegion messages() {
        return messages;
    }

    MemoryRegion acknowledgements() {
        return acknowledgements;
    }

    /// The id is the caller's to close.
    @Override
    public void close() {
        owned.close();
    }
}
