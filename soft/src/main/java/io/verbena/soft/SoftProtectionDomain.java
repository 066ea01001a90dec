package io.verbena.soft;

import io.verbena.soft.cq.SoftCompletionQueue;
import io.verbena.soft.mem.SoftMemoryRegion;
import io.verbena.soft.qp.RcOpcodes;
import io.verbena.soft.qp.SoftQueuePair;
import io.verbena.soft.qp.SoftSharedReceiveQueue;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.SharedReceiveQueue;
import io.verbena.verbs.UnsupportedVerbException;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.QueuePairCapabilities;
import io.verbena.verbs.attr.QueuePairType;
import io.verbena.verbs.attr.SharedReceiveQueueOptions;
import io.verbena.verbs.spi.MemoryCheck;
import io.verbena.verbs.spi.ResourceTree;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A protection domain of the software device.
public final class SoftProtectionDomain implements ProtectionDomain {
    private static final long PAGE_BYTES = 4096;
    private static final int UNSUPPORTED =
            Access.bits(Access.ZERO_BASED, Access.ON_DEMAND, Access.FLUSH_GLOBAL, Access.FLUSH_PERSISTENT);

    private final SoftContext context;
    private final ResourceTree children = new ResourceTree();
    private boolean closed;

    SoftProtectionDomain(SoftContext context) {
        this.context = context;
    }

    @Override
    public SoftContext context() {
        return context;
    }

    @Override
    public MemoryRegion allocate(long bytes, Access... access) {
        String verb = "allocate " + bytes + " bytes";
        int rights = checkRights(verb, access);
        MemoryCheck.requireBytes(verb, bytes);
        Arena arena = Arena.ofShared();
        try {
            return add(new SoftMemoryRegion(this, arena.allocate(bytes, PAGE_BYTES), rights, arena));
        } catch (OutOfMemoryError e) {
            arena.close();
            throw new RdmaException(verb, Errno.ENOMEM, "no memory; ask for less", e);
        } catch (RuntimeException e) {
            arena.close();
            throw e;
        }
    }

    @Override
    public MemoryRegion register(MemorySegment memory, Access... access) {
        String verb = "register " + memory.byteSize() + " bytes";
        int rights = checkRights(verb, access);
        MemoryCheck.requireMemory(verb, memory, rights);
        return add(new SoftMemoryRegion(this, memory, rights, null));
    }

    private SoftMemoryRegion add(SoftMemoryRegion region) {
        children.add(region);
        return region;
    }

    private int checkRights(String verb, Access... access) {
        requireOpen(verb);
        int rights = Access.bits(access);
        MemoryCheck.requireRights(verb, rights);
        if ((rights & UNSUPPORTED) != 0) {
            throw new UnsupportedVerbException(
                    context.device().name(), "ibv_reg_mr with " + Access.of(rights & UNSUPPORTED));
        }
        return rights;
    }

    @Override
    public QueuePair createQueuePair(QueuePairOptions options) {
        requireOpen("create queue pair");
        if (options.type() != QueuePairType.RC) {
            throw new UnsupportedVerbException(context.device().name(), "ibv_create_qp of type " + options.type());
        }
        options.operations().stream()
                .filter(operation -> !RcOpcodes.supports(operation))
                .findFirst()
                .ifPresent(operation -> {
                    throw new UnsupportedVerbException(context.device().name(), "ibv_create_qp for " + operation);
                });
        requireOwn(options.sendCq());
        requireOwn(options.receiveCq());
        requireOwn(options.sharedReceiveQueue());
        QueuePairCapabilities c = options.capabilities();
        requireWithin("maxSendRequests", c.maxSendRequests(), SoftLimits.MAX_WORK_REQUESTS);
        requireWithin("maxReceiveRequests", c.maxReceiveRequests(), SoftLimits.MAX_WORK_REQUESTS);
        requireWithin("maxSendScatterGather", c.maxSendScatterGather(), SoftLimits.MAX_SCATTER_GATHER);
        requireWithin("maxReceiveScatterGather", c.maxReceiveScatterGather(), SoftLimits.MAX_SCATTER_GATHER);
        requireWithin("maxInlineBytes", c.maxInlineBytes(), SoftLimits.MAX_INLINE_BYTES);
        SoftQueuePair qp = new SoftQueuePair(this, options);
        children.add(qp);
        return qp;
    }

    @Override
    public SharedReceiveQueue createSharedReceiveQueue(SharedReceiveQueueOptions options) {
        requireOpen("create shared receive queue");
        SoftSharedReceiveQueue queue = new SoftSharedReceiveQueue(this, options);
        children.add(queue);
        return queue;
    }

    private void requireOwn(CompletionQueue queue) {
        if (!(queue instanceof SoftCompletionQueue soft) || soft.context() != context || soft.isClosed()) {
            throw new RdmaException(
                    "create queue pair",
                    Errno.EINVAL,
                    "the completion queue is closed or of another context; make one from this context");
        }
    }

    /// The shared queue may be of another domain: its buffers are checked against that one.
    private void requireOwn(SharedReceiveQueue queue) {
        boolean own = queue == null
                || queue instanceof SoftSharedReceiveQueue soft
                        && soft.protectionDomain().context() == context
                        && !soft.isClosed();
        if (!own) {
            throw new RdmaException(
                    "create queue pair",
                    Errno.EINVAL,
                    "the shared receive queue is closed or of another context; make one from this context");
        }
    }

    private static void requireWithin(String name, int value, int most) {
        if (value < 0 || value > most) {
            throw new RdmaException(
                    "create queue pair", Errno.EINVAL, name + " is " + value + "; the device takes 0 to " + most);
        }
    }

    private void requireOpen(String verb) {
        if (closed) {
            throw new RdmaException(verb, Errno.EBADF, "the protection domain is closed");
        }
    }

    /// A child is closed.
    public void forget(AutoCloseable child) {
        children.remove(child);
        context.onChildGone();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        children.requireNone("close protection domain");
        closed = true;
        context.forget(this);
    }

    /// Queue pairs use what other domains of the context made.
    void closeQueuePairs() {
        for (AutoCloseable child : children.snapshot().reversed()) {
            if (child instanceof SoftQueuePair qp) {
                qp.close();
            }
        }
    }

    void closeAll() {
        children.closeAll();
        close();
    }

    @Override
    public String toString() {
        return "protection domain";
    }
}
