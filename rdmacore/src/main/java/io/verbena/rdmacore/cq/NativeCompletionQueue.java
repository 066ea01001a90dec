package io.verbena.rdmacore.cq;

import io.verbena.rdmacore.Lifetime;
import io.verbena.rdmacore.NativeContext;
import io.verbena.rdmacore.QueueLock;
import io.verbena.rdmacore.UseCount;
import io.verbena.rdmacore.layout.ContextOps;
import io.verbena.rdmacore.layout.Cq;
import io.verbena.rdmacore.layout.Wc;
import io.verbena.rdmacore.lib.DriverCalls;
import io.verbena.rdmacore.lib.Failures;
import io.verbena.rdmacore.lib.Failures.Subject;
import io.verbena.rdmacore.lib.IbVerbs;
import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.WorkCompletionHandler;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// A completion queue of a native device. A poll is one call of the driver's for up to [#BATCH] completions, into an
/// array that is made once.
public final class NativeCompletionQueue implements CompletionQueue {
    static final int BATCH = 64;

    private static final String CREATE = "create completion queue";
    private static final String ARM = "arm completion queue";
    private static final String CLOSE = "close completion queue";

    private final NativeContext context;
    private final NativeCompletionChannel channel;
    private final long address;
    private final Lifetime lifetime = new Lifetime("the completion queue");
    private final MemorySegment pollFunction;
    private final MemorySegment armFunction;
    /// Arming threads. They do not wait for those that poll, and allocate nothing.
    private final UseCount arming = new UseCount();
    /// Guards what follows. Held while handlers run, so that completions come in order; a handler may poll again.
    private final QueueLock pollLock = new QueueLock();

    private final DatagramNumbers datagrams = new DatagramNumbers();
    private final NativeCompletionView view = new NativeCompletionView(BATCH, datagrams);
    private final long completions = view.first();
    /// Completions in the array that were not handed out yet: from `next` to `end`.
    private int next;

    private int end;
    private boolean closed;

    /// For queues of the driver behind that context, however they were made.
    NativeCompletionQueue(NativeContext context, NativeCompletionChannel channel, long address) {
        this.context = context;
        this.channel = channel;
        this.address = address;
        this.pollFunction = ContextOps.function(Cq.CONTEXT.get(address), ContextOps.POLL_CQ);
        this.armFunction = ContextOps.function(Cq.CONTEXT.get(address), ContextOps.REQ_NOTIFY_CQ);
    }

    public static NativeCompletionQueue create(
            NativeContext context, int entries, CompletionChannel channel, int vector) {
        if (entries < 1) {
            throw new RdmaException(CREATE, Errno.EINVAL, entries + " entries; a queue has at least one");
        }
        if (vector < 0 || vector >= context.completionVectors()) {
            throw new RdmaException(
                    CREATE,
                    Errno.EINVAL,
                    "completion vector " + vector + "; the device has 0 to " + (context.completionVectors() - 1));
        }
        if (channel == null) {
            return create(context, entries, null, 0, vector);
        }
        if (!(channel instanceof NativeCompletionChannel own) || own.context() != context) {
            throw new RdmaException(CREATE, Errno.EINVAL, "the channel is of another context; make it from this one");
        }
        return own.lifetime().use(CREATE, () -> create(context, entries, own, own.address(), vector));
    }

    private static NativeCompletionQueue create(
            NativeContext context, int entries, NativeCompletionChannel channel, long channelAddress, int vector) {
        long queue = IbVerbs.LIB.createCq(context.address(), entries, 0, channelAddress, vector);
        if (queue < 0) {
            throw context.failure(Subject.QUEUE, CREATE + " of " + entries + " entries", (int) queue);
        }
        NativeCompletionQueue made = new NativeCompletionQueue(context, channel, queue);
        made.attach();
        context.lifetime().children().add(made);
        return made;
    }

    private void attach() {
        context.asyncEvents().attach(address, this);
        if (channel != null) {
            channel.attach(this);
        }
    }

    /// The `struct ibv_cq`.
    public long address() {
        return address;
    }

    /// Queue pairs that report here are its children.
    public Lifetime lifetime() {
        return lifetime;
    }

    /// To be told of the datagram queue pairs among those.
    public DatagramNumbers datagrams() {
        return datagrams;
    }

    @Override
    public NativeContext context() {
        return context;
    }

    @Override
    public NativeCompletionChannel channel() {
        return channel;
    }

    @Override
    public int capacity() {
        return lifetime.use("query completion queue", () -> Cq.CQE.get(address));
    }

    @Override
    public int poll(WorkCompletionHandler handler, int limit) {
        Objects.requireNonNull(handler, "handler");
        if (limit < 0) {
            throw new RdmaException("poll completion queue", Errno.EINVAL, "the limit is " + limit);
        }
        pollLock.lock();
        try {
            int done = 0;
            boolean emptied = false;
            while (done < limit) {
                if (next == end) {
                    if (emptied || closed && done > 0) { // a handler may have closed the queue
                        break;
                    }
                    emptied = fetch(limit - done);
                    if (next == end) {
                        break;
                    }
                }
                view.show(completions + (long) next++ * Wc.SIZE);
                done++;
                handler.onCompletion(view);
            }
            return done;
        } finally {
            pollLock.unlock();
        }
    }

    /// Gets up to `limit` completions from the driver; whether that were all it had.
    private boolean fetch(int limit) {
        if (closed) {
            throw new RdmaException("poll completion queue", Errno.EBADF, "the queue is closed");
        }
        int asked = Math.min(limit, BATCH);
        int n = DriverCalls.pollCq(pollFunction, address, asked, completions);
        if (n < 0) {
            throw Failures.of(Subject.QUEUE, "poll completion queue", Errno.EIO.number());
        }
        next = 0;
        end = n;
        return n < asked;
    }

    @Override
    public void arm(boolean solicitedOnly) {
        if (!arming.acquire()) {
            throw new RdmaException(ARM, Errno.EBADF, "the queue is closed");
        }
        int failed;
        try {
            failed = DriverCalls.reqNotifyCq(armFunction, address, solicitedOnly ? 1 : 0);
        } finally {
            arming.release();
        }
        if (failed != 0) {
            throw context.failure(Subject.QUEUE, ARM, failed);
        }
    }

    @Override
    public void resize(int entries) {
        String verb = "resize completion queue to " + entries + " entries";
        if (entries < 1) {
            throw new RdmaException(verb, Errno.EINVAL, "a queue has at least one entry");
        }
        pollLock.lock();
        try {
            int failed = lifetime.use(verb, () -> IbVerbs.LIB.resizeCq(address, entries));
            if (failed != 0) {
                throw context.failure(Subject.QUEUE, verb, failed);
            }
        } finally {
            pollLock.unlock();
        }
    }

    @Override
    public void close() {
        pollLock.close(() -> {
            if (lifetime.end(CLOSE, this::destroy)) {
                closed = true;
                next = 0;
                end = 0;
                context.lifetime().children().remove(this);
            }
        });
    }

    /// Waits until the events of the queue are acknowledged, which other threads may be about to do.
    private void destroy() {
        context.asyncEvents().detach(address);
        if (channel != null) {
            channel.detach(this);
        }
        arming.end();
        int failed = IbVerbs.LIB.destroyCq(address);
        if (failed != 0) {
            arming.resume();
            attach();
            throw Failures.of(Subject.QUEUE, CLOSE, failed);
        }
        if (channel != null) {
            channel.lifetime().children().remove(this);
        }
    }

    @Override
    public String toString() {
        return "completion queue (" + (lifetime.hasEnded() ? "closed" : capacity() + " entries") + ")";
    }
}
