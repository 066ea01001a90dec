package io.verbena.rdmacore.qp;

import io.verbena.rdmacore.QueueLock;
import io.verbena.rdmacore.lib.DriverCalls;
import io.verbena.rdmacore.lib.Failures;
import io.verbena.rdmacore.lib.Failures.Subject;
import io.verbena.rdmacore.lib.Memory;
import io.verbena.verbs.BadRequestException;
import io.verbena.verbs.Errno;
import io.verbena.verbs.UnsupportedVerbException;
import io.verbena.verbs.spi.UnreadableBytesException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/// A queue that requests are posted to: one call of the driver's for one request or a chain of them. The lock keeps
/// the queue from being destroyed meanwhile; drivers have a lock of their own in the same place.
abstract class PostQueue<R> {
    /// Gives each queue numbers of its own for its chains.
    private static final AtomicLong QUEUES = new AtomicLong();

    private static final int CHAIN_BITS = 40;
    private static final int FULL = Errno.ENOMEM.number();

    private final String verb;
    private final MemorySegment function;
    private final long queue;
    private final QueueLock lock = new QueueLock();
    private final MemorySegment badMemory = Arena.ofAuto().allocate(Long.BYTES, 8);
    private final long bad = badMemory.address();
    /// The chain that is being posted, or was posted last. The requests stay reachable here while the driver reads
    /// them.
    private RequestStruct[] linked = new RequestStruct[16];

    /// The requests of those structs.
    private Object[] members = new Object[16];

    private int linkedCount;
    /// Whether all of them were approved, so that the chain can be posted again as it is.
    private boolean isChainApproved;

    private long lastChain = QUEUES.incrementAndGet() << CHAIN_BITS;
    private boolean isReady;
    private boolean closed;

    /// @param verb what a program is doing, for errors; `function` posts to the C object `queue`
    PostQueue(String verb, MemorySegment function, long queue) {
        this.verb = verb;
        this.function = function;
        this.queue = queue;
    }

    /// Whether the queue takes requests in its present state; asked once for each call.
    abstract boolean isReady();

    /// The struct of a request that needs no check while the queue is ready, and can be linked to others; null for
    /// other requests. A change of the request that ends this sets the chain of its struct to 0, except for a change of
    /// its buffers, which [RequestStruct#hasAllBuffers] tells.
    abstract RequestStruct approved(R request);

    /// Refuses a request that cannot be posted, else writes its struct.
    ///
    /// @param index place in the chain, for errors
    abstract RequestStruct check(R request, int index);

    /// Releases all objects that [#check] held.
    void release() {}

    /// Whether [#check] held objects, so that [#posted] is to be called.
    boolean holdsObjects() {
        return false;
    }

    /// The driver has taken the request, whose objects are not released yet.
    void posted(RequestStruct request) {}

    /// Hands a chain to the driver; 0 or the error number, which some drivers negate.
    int submit(RequestStruct first) {
        return Math.abs(DriverCalls.post(function, queue, first.address, bad));
    }

    /// False when the queue is full.
    public final boolean post(R request) {
        lock.lock();
        try {
            begin();
            RequestStruct ready = prepare(request, 0);
            ready.unlink();
            int failed = submit(ready);
            if (failed == 0) {
                if (holdsObjects()) {
                    posted(ready);
                }
                return true;
            }
            if (failed == FULL) {
                return false;
            }
            throw refused(0, failed);
        } finally {
            release();
            Reference.reachabilityFence(request);
            lock.unlock();
        }
    }

    /// How many were taken: fewer than all when the queue became full.
    public final int post(List<? extends R> chain) {
        lock.lock();
        try {
            begin();
            int done = 0;
            int count = chain.size();
            while (done < count) {
                int taken = postSome(chain, done, count);
                if (taken < 0) {
                    return -taken - 1;
                }
                done = taken;
            }
            return done;
        } finally {
            lock.unlock();
        }
    }

    /// Posts from `from` on, up to one that is refused or was there before: a request can be in a chain once. The
    /// place of the next one; or, when the queue is full, -1 less the number that was taken.
    private int postSome(List<? extends R> requests, int from, int count) {
        try {
            RuntimeException refusal = isLinked(requests, from, count) ? null : link(requests, from, count);
            int failed = linkedCount == 0 ? 0 : submitLinked();
            int taken = failed == 0 ? linkedCount : indexOf(Memory.getLong(bad));
            if (holdsObjects()) {
                for (int i = 0; i < taken; i++) {
                    posted(linked[i]);
                }
            }
            if (failed == FULL) {
                return -(from + taken) - 1;
            }
            if (failed != 0) {
                throw refused(from + taken, failed);
            }
            if (refusal != null) {
                throw refusal;
            }
            return from + linkedCount;
        } finally {
            release();
        }
    }

    /// A driver that refuses all may not say which request it refused: then it is the first, not that of an earlier
    /// chain.
    private int submitLinked() {
        RequestStruct first = linked[0];
        Memory.putLong(bad, first.address);
        return submit(first);
    }

    /// Whether the requests from `from` on are those of the last chain, and can be posted as they were: so when a
    /// program posts one chain again and again.
    private boolean isLinked(List<? extends R> requests, int from, int count) {
        if (!isChainApproved || !isReady || count - from != linkedCount) {
            return false;
        }
        long chain = lastChain;
        Object[] expected = members;
        RequestStruct[] structs = linked;
        for (int i = 0; i < count - from; i++) {
            RequestStruct struct = structs[i];
            if (requests.get(from + i) != expected[i] || struct.chain != chain || !struct.hasAllBuffers()) {
                return false;
            }
        }
        return true;
    }

    /// Links the requests from `from` on; returns what was thrown about the first request that does not go into the
    /// chain, or null.
    private RuntimeException link(List<? extends R> requests, int from, int count) {
        long chain = ++lastChain;
        linkedCount = 0;
        isChainApproved = false;
        if (linked.length < count - from) {
            linked = Arrays.copyOf(linked, count - from);
            members = Arrays.copyOf(members, count - from);
        }
        boolean allApproved = true;
        RequestStruct before = null;
        RuntimeException refusal = null;
        for (int at = from; at < count; at++) {
            R request = requests.get(at);
            RequestStruct ready;
            try {
                ready = prepare(request, at);
            } catch (UnsupportedVerbException e) {
                refusal = new BadRequestException(at, e);
                break;
            } catch (RuntimeException e) {
                refusal = e;
                break;
            }
            if (before != null) {
                if (ready.chain == chain || ready.extended != null) {
                    break;
                }
                before.link(ready.address);
            }
            ready.chain = chain;
            members[linkedCount] = request;
            linked[linkedCount++] = ready;
            allApproved &= approved(request) != null;
            before = ready;
            if (ready.extended != null) {
                break;
            }
        }
        if (before != null) {
            before.link(0);
        }
        isChainApproved = allApproved;
        return refusal;
    }

    private int indexOf(long address) {
        for (int i = 0; i < linkedCount; i++) {
            if (linked[i].address == address) {
                return i;
            }
        }
        return 0;
    }

    private void begin() {
        if (closed) {
            throw new BadRequestException(verb, 0, Errno.EBADF.number(), "the queue is closed");
        }
        isReady = isReady();
    }

    private RequestStruct prepare(R request, int index) {
        RequestStruct approved = isReady ? approved(request) : null;
        return approved == null ? check(request, index) : approved;
    }

    private BadRequestException refused(int index, int errnoNumber) {
        return new BadRequestException(verb, index, errnoNumber, Failures.explain(Subject.POST, errnoNumber));
    }

    final BadRequestException refused(int index, String explanation) {
        return new BadRequestException(verb, index, explanation);
    }

    /// For bytes that are read while posting.
    final BadRequestException unreadable(int index, UnreadableBytesException cause) {
        return new BadRequestException(verb, index, Errno.EFAULT.number(), cause.getMessage(), cause.getCause());
    }

    /// Runs `destroy` while nobody posts; nobody can afterwards.
    public final void close(Runnable destroy) {
        lock.close(() -> {
            destroy.run();
            closed = true;
        });
    }
}
