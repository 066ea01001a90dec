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

    private int linkedCount;
    private long lastChain = QUEUES.incrementAndGet() << CHAIN_BITS;
    private boolean closed;

    /// @param verb what a program is doing, for errors; `function` posts to the C object `queue`
    PostQueue(String verb, MemorySegment function, long queue) {
        this.verb = verb;
        this.function = function;
        this.queue = queue;
    }

    /// A call begins.
    void begin() {}

    /// The struct of a request that needs no check and can be linked to others; null for other requests.
    abstract RequestStruct approved(R request);

    /// Refuses a request that cannot be posted, else makes its struct ready.
    ///
    /// @param index place in the chain, for errors
    abstract RequestStruct prepare(R request, int index);

    /// Releases all objects that [#prepare] held.
    void release() {}

    /// Whether [#prepare] held objects, so that [#posted] is to be called.
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
            requireOpen(0);
            begin();
            RequestStruct ready = prepare(request, 0);
            ready.link(0);
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
            requireOpen(0);
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
            int known = relink(requests, from, Math.min(count - from, linkedCount));
            linkedCount = known;
            RuntimeException refusal = known == count - from ? null : link(requests, from, known, count);
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
        linked[linkedCount - 1].link(0);
        Memory.putLong(bad, first.address);
        return submit(first);
    }

    /// Links requests from `from` on, as long as they are those of the last chain, which is so when a program posts one
    /// chain again and again. They differ from each other, so only the links are compared, which stay after posting.
    /// Returns how many.
    private int relink(List<? extends R> requests, int from, int most) {
        RequestStruct[] links = linked;
        RequestStruct before = null;
        for (int place = 0; place < most; place++) {
            RequestStruct ready = approved(requests.get(from + place));
            if (ready == null || ready != links[place]) {
                return place;
            }
            if (before != null) {
                before.link(ready.address);
            }
            before = ready;
        }
        return most;
    }

    /// Goes on with a chain of which `known` requests are linked; returns what was thrown about the first request that
    /// does not go into it, or null.
    private RuntimeException link(List<? extends R> requests, int from, int known, int count) {
        long chain = ++lastChain;
        if (linked.length < count - from) {
            linked = Arrays.copyOf(linked, count - from);
        }
        for (int i = 0; i < known; i++) {
            linked[i].chain = chain;
        }
        RequestStruct before = known == 0 ? null : linked[known - 1];
        for (int at = from + known; at < count; at++) {
            RequestStruct ready;
            try {
                ready = prepare(requests.get(at), at);
            } catch (UnsupportedVerbException e) {
                return new BadRequestException(at, e);
            } catch (RuntimeException e) {
                return e;
            }
            if (before != null) {
                if (ready.chain == chain || ready.extended != null) {
                    return null;
                }
                before.link(ready.address);
            }
            ready.chain = chain;
            linked[linkedCount++] = ready;
            if (ready.extended != null) {
                return null;
            }
            before = ready;
        }
        return null;
    }

    private int indexOf(long address) {
        for (int i = 0; i < linkedCount; i++) {
            if (linked[i].address == address) {
                return i;
            }
        }
        return 0;
    }

    private void requireOpen(int index) {
        if (closed) {
            throw new BadRequestException(verb, index, Errno.EBADF.number(), "the queue is closed");
        }
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
