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
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/// A queue that requests are posted to: one call of the driver's for one request or a chain of them. The lock keeps
/// the queue from being destroyed meanwhile; drivers have a lock of their own in the same place.
public abstract class PostQueue<R> {
    private static final AtomicLong CHAINS = new AtomicLong();
    private static final int FULL = Errno.ENOMEM.number();

    private final String verb;
    private final MemorySegment function;
    private final long queue;
    private final QueueLock lock = new QueueLock();
    private final MemorySegment badMemory = Arena.ofAuto().allocate(Long.BYTES, 8);
    private final long bad = badMemory.address();
    /// The chain that is being posted.
    private NativeRequest[] linked = new NativeRequest[16];

    private int linkedCount;
    private boolean closed;

    /// @param verb what a program is doing, for errors; `function` posts to the C object `queue`
    protected PostQueue(String verb, MemorySegment function, long queue) {
        this.verb = verb;
        this.function = function;
        this.queue = queue;
    }

    /// Refuses a request that cannot be posted, else makes it ready.
    ///
    /// @param index place in the chain, for errors
    protected abstract NativeRequest prepare(R request, int index);

    /// Releases the objects that [#prepare] held; once for each request that it returned.
    protected void release(NativeRequest request) {}

    /// The driver has taken the request, which is not released yet.
    protected void posted(NativeRequest request) {}

    /// Hands a chain to the driver; 0 or the error number, which some drivers negate.
    protected int submit(NativeRequest first) {
        return Math.abs(DriverCalls.post(function, queue, first.address, bad));
    }

    /// False when the queue is full.
    public final boolean post(R request) {
        lock.lock();
        try {
            requireOpen(0);
            NativeRequest ready = prepare(request, 0);
            try {
                ready.link(0);
                int failed = submit(ready);
                if (failed == 0) {
                    posted(ready);
                    return true;
                }
                if (failed == FULL) {
                    return false;
                }
                throw refused(0, failed);
            } finally {
                release(ready);
                Reference.reachabilityFence(ready);
            }
        } finally {
            lock.unlock();
        }
    }

    /// How many were taken: fewer than all when the queue became full.
    public final int post(List<? extends R> chain) {
        lock.lock();
        try {
            requireOpen(0);
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
        RuntimeException refusal = null;
        try {
            refusal = link(requests, from, count);
            int failed = linkedCount == 0 ? 0 : submitFrom(linked[0]);
            int taken = failed == 0 ? linkedCount : indexOf(Memory.getLong(bad));
            for (int i = 0; i < taken; i++) {
                posted(linked[i]);
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
            unlink();
        }
    }

    /// A driver that refuses all may not say which request it refused: then it is the first, not that of an earlier
    /// chain.
    private int submitFrom(NativeRequest first) {
        Memory.putLong(bad, first.address);
        return submit(first);
    }

    /// Makes a chain; returns what was thrown about the first request that does not go into it, or null.
    private RuntimeException link(List<? extends R> requests, int from, int count) {
        long chain = CHAINS.incrementAndGet();
        if (linked.length < count - from) {
            linked = new NativeRequest[count - from];
        }
        for (int at = from; at < count; at++) {
            NativeRequest ready;
            try {
                ready = prepare(requests.get(at), at);
            } catch (UnsupportedVerbException e) {
                return new BadRequestException(at, e);
            } catch (RuntimeException e) {
                return e;
            }
            if (ready.chain == chain || ready.isUnchainable() && linkedCount > 0) {
                release(ready);
                return null;
            }
            ready.chain = chain;
            ready.link(0);
            if (linkedCount > 0) {
                linked[linkedCount - 1].link(ready.address);
            }
            linked[linkedCount++] = ready;
            if (ready.isUnchainable()) {
                return null;
            }
        }
        return null;
    }

    private void unlink() {
        for (int i = 0; i < linkedCount; i++) {
            NativeRequest request = linked[i];
            linked[i] = null;
            request.link(0);
            release(request);
            Reference.reachabilityFence(request);
        }
        linkedCount = 0;
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

    protected final BadRequestException refused(int index, String explanation) {
        return new BadRequestException(verb, index, explanation);
    }

    /// For bytes that are read while posting.
    protected final BadRequestException unreadable(int index, UnreadableBytesException cause) {
        return new BadRequestException(verb, index, Errno.EFAULT.number(), cause.getMessage(), cause.getCause());
    }

    /// For a request that this provider did not make.
    protected final BadRequestException foreign(R request, int index) {
        return refused(
                index, request == null ? "the request is null" : "the request was made by a queue of another provider");
    }

    /// Runs `destroy` while nobody posts; nobody can afterwards.
    public final void close(Runnable destroy) {
        lock.close(() -> {
            destroy.run();
            closed = true;
        });
    }
}
