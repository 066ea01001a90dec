package io.verbena.soft.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.cm.ConnectionId;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// One end of a real connection: an id with a queue pair, a completion queue and a buffer of 64 bytes.
final class CmSide implements AutoCloseable {
    private static final int BYTES = 64;
    private static final long PATIENCE_NS = 5_000_000_000L;

    private record Done(long wrId, CompletionStatus status) {}

    final ConnectionId id;
    final CompletionQueue cq;
    final MemoryRegion buffer;
    final QueuePair qp;
    private final List<Done> done = new ArrayList<>();

    /// The id has its device; a receive is posted.
    CmSide(ConnectionId id) {
        this.id = id;
        cq = id.context().createCompletionQueue(16);
        buffer = id.protectionDomain().allocate(BYTES, Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ);
        qp = id.createQueuePair(null, QueuePairOptions.rc(cq));
        assertTrue(qp.post(qp.newReceiveRequest().wrId(1).into(buffer, 0, 32)));
    }

    void send(int value) {
        buffer.memory().set(ValueLayout.JAVA_INT, 32, value);
        assertTrue(
                qp.post(qp.newSendRequest().wrId(2).send().from(buffer, 32, 4).signaled(true)));
        assertEquals(CompletionStatus.SUCCESS, await(2));
    }

    int receive() {
        assertEquals(CompletionStatus.SUCCESS, await(1));
        return buffer.memory().get(ValueLayout.JAVA_INT, 0);
    }

    CompletionStatus await(long wrId) {
        long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < PATIENCE_NS) {
            for (Done one : done) {
                if (one.wrId == wrId) {
                    done.remove(one);
                    return one.status;
                }
            }
            cq.poll(c -> done.add(new Done(c.wrId(), c.status())), 8);
        }
        throw new AssertionError("no completion of request " + wrId);
    }

    @Override
    public void close() {
        qp.close();
        buffer.close();
        cq.close();
        id.close();
    }
}
