package io.verbena.tools.blast;

import io.verbena.tools.program.CompletionLoop;
import io.verbena.tools.program.Owned;
import io.verbena.tools.program.Waiting;
import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.WorkCompletionHandler;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionParameters;
import java.time.Duration;

/// The objects that both sides make before they connect: buffers for messages and acknowledgements, a completion queue
/// and a queue pair. The client sends messages and receives acknowledgements, the server the reverse.
final class BlastQueuePair implements AutoCloseable {
    /// The parameters of the C program.
    static final ConnectionParameters PARAMETERS =
            ConnectionParameters.DEFAULT.withReads(2, 2).withRetries(5, 5);

    /// Numbers of requests: they show which request failed, because a failed completion has no opcode.
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
            WorkCompletionHandler onSuccess) {
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

    /// All message buffers, one behind the other.
    MemoryRegion messages() {
        return messages;
    }

    MemoryRegion acknowledgements() {
        return acknowledgements;
    }

    /// The caller closes the id.
    @Override
    public void close() {
        owned.close();
    }
}
