package io.verbena.tools.ping;

import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.Rdma;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.PortSpace;
import java.time.Duration;

/// A peer that does what a test tells it, which may be wrong.
final class WrongPeer implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int ROOM = 4096;

    final ConnectionId id;
    private final CompletionQueue cq;
    private final MemoryRegion memory;
    private final QueuePair qp;

    /// The id is resolved, or a request.
    WrongPeer(ConnectionId id) {
        this.id = id;
        cq = id.context().createCompletionQueue(32);
        memory = id.protectionDomain().allocate(2 * ROOM, Access.LOCAL_WRITE);
        qp = id.createQueuePair(id.protectionDomain(), QueuePairOptions.rc(cq));
    }

    static ConnectionId newId() {
        ConnectionId id = Rdma.provider("soft").connectionManager().createSynchronousId(PortSpace.TCP);
        id.timeout(PATIENCE);
        return id;
    }

    void receive() {
        qp.post(qp.newReceiveRequest().into(memory, 0, ROOM));
    }

    void send(int bytes) {
        qp.post(qp.newSendRequest().send().from(memory, ROOM, bytes).signaled());
    }

    void fill(byte value) {
        memory.memory().asSlice(ROOM, ROOM).fill(value);
    }

    /// Until that many requests are done.
    void await(int completions) {
        int done = cq.poll(_ -> {}, completions, PATIENCE);
        if (done < completions) {
            throw new AssertionError("only " + done + " of " + completions + " completions");
        }
    }

    @Override
    public void close() {
        id.close();
        cq.close();
        memory.close();
    }
}
