package io.verbena.soft.qp;

import io.verbena.soft.limit.SoftLimits;
import io.verbena.soft.mem.MemoryUser;
import io.verbena.soft.mem.ScatterGather;
import io.verbena.soft.os.BiasedLock;
import io.verbena.verbs.BadRequestException;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.SharedReceiveQueue;
import io.verbena.verbs.attr.AsyncEventType;
import io.verbena.verbs.attr.SharedReceiveQueueOptions;
import io.verbena.verbs.spi.PostRules;
import io.verbena.verbs.spi.ResourceTree;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/// A shared receive queue of the software device. Programs post under a lock. Queue pairs take receives by copying them
/// ([CurrentReceive]), so the queue does not track which queue pair took which receive.
///
/// Buffers are checked against the domain of this queue, whatever the domains of the queue pairs are.
public final class SoftSharedReceiveQueue implements SharedReceiveQueue, MemoryUser {
    private static final String CREATE = "create shared receive queue";
    private static final String POST = "post receive to shared queue";

    private final QueueDomain domain;
    private final int maxScatterGather;
    private final SharedReceiveRing ring;
    private final ReentrantLock postLock = new ReentrantLock();
    /// Guards taking: queue pairs take receives in several threads.
    private final BiasedLock takeLock = new BiasedLock();

    private final ResourceTree users = new ResourceTree();
    /// An event is raised, once, when fewer receives than this are left; 0 for none. Guarded by the lock.
    private int limit;

    private volatile boolean closed;

    public SoftSharedReceiveQueue(QueueDomain domain, SharedReceiveQueueOptions options) {
        requireWithin(CREATE, "maxRequests", options.maxRequests(), 1, SoftLimits.MAX_SHARED_RECEIVE_REQUESTS);
        requireWithin(CREATE, "maxScatterGather", options.maxScatterGather(), 0, SoftLimits.MAX_SCATTER_GATHER);
        this.domain = domain;
        this.maxScatterGather = options.maxScatterGather();
        this.ring = new SharedReceiveRing(options.maxRequests(), maxScatterGather);
        requireWithin(CREATE, "limit", options.limit(), 0, ring.capacity());
        this.limit = options.limit();
        domain.context().device().sharedReceiveQueues().take(CREATE);
    }

    private static void requireWithin(String verb, String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new RdmaException(
                    verb, Errno.EINVAL, "%s is %d; it can be %d to %d".formatted(name, value, least, most));
        }
    }

    /// Queue pairs that take from here keep the queue open.
    public ResourceTree users() {
        return users;
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public QueueDomain protectionDomain() {
        return domain;
    }

    @Override
    public ReceiveRequest newReceiveRequest() {
        return new SoftReceiveRequest(this, maxScatterGather);
    }

    @Override
    public boolean post(ReceiveRequest request) {
        postLock.lock();
        try {
            return write(request, 0);
        } finally {
            postLock.unlock();
        }
    }

    @Override
    public int postReceives(List<ReceiveRequest> chain) {
        postLock.lock();
        try {
            int taken = 0;
            int count = PostCheck.size(chain);
            while (taken < count && write(chain.get(taken), taken)) {
                taken++;
            }
            return taken;
        } finally {
            postLock.unlock();
        }
    }

    private boolean write(ReceiveRequest request, int index) {
        if (closed) {
            throw new BadRequestException(POST, index, Errno.EBADF.number(), "the shared receive queue is closed");
        }
        if (!(request instanceof SoftReceiveRequest receive)) {
            throw new BadRequestException(POST, index, PostRules.foreign(request));
        }
        if (receive.maker != this) {
            throw new BadRequestException(POST, index, PostCheck.ofAnother(receive.maker, this, "newReceiveRequest"));
        }
        MemoryRegion closedRegion = receive.buffers.closedRegion();
        if (closedRegion != null) {
            throw new BadRequestException(POST, index, PostCheck.closed(closedRegion));
        }
        String tooMany = PostRules.tooMany(receive.buffers, maxScatterGather, "maxScatterGather");
        if (tooMany != null) {
            throw new BadRequestException(POST, index, tooMany);
        }
        if (ring.isFull()) {
            return false;
        }
        ring.write(receive);
        return true;
    }

    @Override
    public void limit(int newLimit) {
        String verb = "set limit of shared receive queue";
        execute(verb, () -> {
            requireWithin(verb, "limit", newLimit, 0, ring.capacity());
            limit = newLimit;
        });
    }

    /// Posting and taking wait meanwhile. The order of receives stays the same.
    @Override
    public void resize(int maxRequests) {
        String verb = "resize shared receive queue";
        requireWithin(verb, "maxRequests", maxRequests, 1, SoftLimits.MAX_SHARED_RECEIVE_REQUESTS);
        postLock.lock();
        try {
            execute(verb, () -> {
                if (maxRequests < ring.waiting()) {
                    throw new RdmaException(
                            verb,
                            Errno.EINVAL,
                            "%d requests, but %d receives are posted; let them be used first"
                                    .formatted(maxRequests, ring.waiting()));
                }
                if (maxRequests < limit) {
                    throw new RdmaException(
                            verb,
                            Errno.EINVAL,
                            "%d requests, but the limit is %d; lower the limit first".formatted(maxRequests, limit));
                }
                ring.resize(maxRequests);
            });
        } finally {
            postLock.unlock();
        }
    }

    @Override
    public SharedReceiveQueueOptions query() {
        SharedReceiveQueueOptions[] answer = new SharedReceiveQueueOptions[1];
        execute(
                "query shared receive queue",
                () -> answer[0] = new SharedReceiveQueueOptions(ring.capacity(), maxScatterGather, limit));
        return answer[0];
    }

    private void execute(String verb, Runnable task) {
        takeLock.lock();
        try {
            if (closed) {
                throw new RdmaException(verb, Errno.EBADF, "the shared receive queue is closed");
            }
            task.run();
        } finally {
            takeLock.unlock();
        }
    }

    /// A second caller waits for the first.
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        users.seal("close shared receive queue");
        closed = true;
        domain.context().device().sharedReceiveQueues().giveBack();
        domain.context().asyncEvents().forget(this);
        domain.forget(this);
    }

    @Override
    public String toString() {
        return "shared receive queue (" + maxScatterGather + " buffers a request)";
    }

    // ---- what queue pairs call ----

    SharedReceiveRing ring() {
        return ring;
    }

    /// An array for the words of one receive.
    long[] newReceiveWords() {
        return new long[maxScatterGather * ScatterGather.WORDS];
    }

    /// Copies the oldest receive to a queue pair. False when there is none.
    boolean take(CurrentReceive to) {
        if (ring.seemsEmpty()) {
            return false;
        }
        takeLock.lock();
        try {
            if (ring.isEmpty()) {
                return false;
            }
            to.fill(ring);
            if (limit > 0 && ring.waiting() < limit) {
                limit = 0;
                domain.context().asyncEvents().raise(AsyncEventType.SRQ_LIMIT_REACHED, this);
            }
            return true;
        } finally {
            takeLock.unlock();
        }
    }

    /// A taken receive gets no completion. Its slot is free.
    void onLost() {
        takeLock.lock();
        try {
            ring.onLost();
        } finally {
            takeLock.unlock();
        }
    }
}
