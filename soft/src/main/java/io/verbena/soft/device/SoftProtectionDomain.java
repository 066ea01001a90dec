package io.verbena.soft.device;

import io.verbena.soft.cq.SoftCompletionQueue;
import io.verbena.soft.limit.SoftLimits;
import io.verbena.soft.qp.SoftAddressHandle;
import io.verbena.soft.qp.SoftQueuePair;
import io.verbena.soft.qp.SoftSharedReceiveQueue;
import io.verbena.soft.qp.TransportServices;
import io.verbena.soft.region.AllocatedMemory;
import io.verbena.soft.region.RegionDomain;
import io.verbena.soft.region.RegistrationRules;
import io.verbena.soft.region.SoftMemoryRegion;
import io.verbena.soft.region.SoftMemoryWindow;
import io.verbena.verbs.AddressHandle;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.MemoryWindow;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.SharedReceiveQueue;
import io.verbena.verbs.UnsupportedVerbException;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.MemoryWindowType;
import io.verbena.verbs.attr.QueuePairCapabilities;
import io.verbena.verbs.attr.SharedReceiveQueueOptions;
import io.verbena.verbs.spi.OwnQueues;
import io.verbena.verbs.spi.ResourceTree;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/// A protection domain of the software device.
public final class SoftProtectionDomain implements RegionDomain {
    private static final AtomicInteger IDS = new AtomicInteger();

    private final int id = IDS.incrementAndGet();
    private final SoftContext context;
    private final ResourceTree children = new ResourceTree();
    private volatile boolean closed;

    SoftProtectionDomain(SoftContext context) {
        this.context = context;
    }

    @Override
    public int id() {
        return id;
    }

    @Override
    public SoftContext context() {
        return context;
    }

    @Override
    public MemoryRegion allocate(long bytes, Access... access) {
        String verb = "allocate " + bytes + " bytes";
        int rights = Access.bits(access);
        requireOpen(verb);
        RegistrationRules.requireNew(verb, bytes, rights);
        AllocatedMemory memory =
                AllocatedMemory.of(verb, bytes, context.engines().first().local());
        try {
            return register(
                    verb, memory.segment(), RegistrationRules.address(memory.segment(), rights), rights, memory);
        } catch (RuntimeException e) {
            // May be freed already, by a region that was made while the domain was closed.
            memory.free();
            throw e;
        }
    }

    @Override
    public MemoryRegion register(MemorySegment memory, Access... access) {
        String verb = "register "
                + Objects.requireNonNull(memory, "the memory is null").byteSize() + " bytes";
        int rights = Access.bits(access);
        requireOpen(verb);
        RegistrationRules.require(verb, memory, rights);
        return register(verb, memory, RegistrationRules.address(memory, rights), rights, null);
    }

    @Override
    public MemoryRegion register(MemorySegment memory, long iova, Access... access) {
        String verb = "register %d bytes at iova 0x%x"
                .formatted(Objects.requireNonNull(memory, "the memory is null").byteSize(), iova);
        int rights = Access.bits(access);
        requireOpen(verb);
        RegistrationRules.require(verb, memory, rights);
        RegistrationRules.requireIova(verb, iova, memory.byteSize(), rights);
        return register(verb, memory, iova, rights, null);
    }

    private SoftMemoryRegion register(
            String verb, MemorySegment memory, long address, int rights, AllocatedMemory own) {
        SoftMemoryRegion region = new SoftMemoryRegion(verb, this, memory, address, rights, own);
        return keep(verb, region, region::close);
    }

    private <T extends AutoCloseable> T keep(String verb, T child, Runnable close) {
        return children.keep(verb, "the protection domain", child, close);
    }

    @Override
    public void replace(String verb, RegionDomain before, SoftMemoryRegion region, Runnable move) {
        keep(verb, region, () -> {});
        try {
            move.run();
        } catch (RuntimeException e) {
            if (before != this) {
                children.remove(region);
            }
            throw e;
        }
        if (before != this) {
            before.forget(region);
        }
    }

    @Override
    public MemoryWindow allocateMemoryWindow(MemoryWindowType type) {
        String verb = "allocate memory window";
        requireOpen(verb);
        SoftMemoryWindow window = new SoftMemoryWindow(this, Objects.requireNonNull(type, "the type is null"));
        return keep(verb, window, window::close);
    }

    @Override
    public QueuePair createQueuePair(QueuePairOptions options) {
        requireOpen("create queue pair");
        Objects.requireNonNull(options, "the options are null").operations().stream()
                .filter(operation -> !TransportServices.supports(options.type(), operation))
                .findFirst()
                .ifPresent(operation -> {
                    throw new UnsupportedVerbException(context.device().name(), "ibv_create_qp for " + operation);
                });
        OwnQueues.requireNone(options);
        requireOwn(options.sendCq());
        requireOwn(options.receiveCq());
        requireOwn(options.sharedReceiveQueue());
        QueuePairCapabilities c = options.capabilities();
        requireWithin("maxSendRequests", c.maxSendRequests(), SoftLimits.MAX_WORK_REQUESTS);
        requireWithin("maxSendScatterGather", c.maxSendScatterGather(), SoftLimits.MAX_SCATTER_GATHER);
        if (options.sharedReceiveQueue() == null) {
            requireWithin("maxReceiveRequests", c.maxReceiveRequests(), SoftLimits.MAX_WORK_REQUESTS);
            requireWithin("maxReceiveScatterGather", c.maxReceiveScatterGather(), SoftLimits.MAX_SCATTER_GATHER);
        }
        requireWithin("maxInlineBytes", c.maxInlineBytes(), SoftLimits.MAX_INLINE_BYTES);
        SoftQueuePair qp = new SoftQueuePair(this, options);
        return keep("create queue pair", qp, qp::close);
    }

    @Override
    public SharedReceiveQueue createSharedReceiveQueue(SharedReceiveQueueOptions options) {
        String verb = "create shared receive queue";
        requireOpen(verb);
        SoftSharedReceiveQueue queue =
                new SoftSharedReceiveQueue(this, Objects.requireNonNull(options, "the options are null"));
        return keep(verb, queue, queue::close);
    }

    @Override
    public AddressHandle createAddressHandle(AddressVector address) {
        String verb = "create address handle";
        requireOpen(verb);
        SoftAddressHandle handle = SoftAddressHandle.to(this, Objects.requireNonNull(address, "the address is null"));
        return keep(verb, handle, handle::close);
    }

    @Override
    public AddressHandle createAddressHandle(WorkCompletion completion, MemorySegment grhArea, int port) {
        requireOpen("create address handle from completion");
        return createAddressHandle(
                SoftAddressHandle.vectorToSender(context.device().gid(), completion, grhArea, port));
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

    @Override
    public void forget(AutoCloseable child) {
        children.remove(child);
        context.onChildGone();
    }

    /// A second call returns when the first has finished.
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        children.seal("close protection domain");
        closed = true;
        context.device().protectionDomains().giveBack();
        context.forget(this);
    }

    void addQueuePairs(List<SoftQueuePair> to) {
        for (AutoCloseable child : children.snapshot()) {
            if (child instanceof SoftQueuePair qp) {
                to.add(qp);
            }
        }
    }

    List<AutoCloseable> openObjects() {
        return children.snapshot();
    }

    /// Queue pairs use what other domains of the context made.
    void closeQueuePairs() {
        for (AutoCloseable child : children.snapshot().reversed()) {
            if (child instanceof SoftQueuePair qp) {
                qp.detachMulticast();
                qp.close();
            }
        }
    }

    /// Windows go first, because they keep their regions open, which may be younger.
    void closeAll() {
        for (AutoCloseable child : children.snapshot()) {
            if (child instanceof SoftMemoryWindow window) {
                window.close();
            }
        }
        children.closeAll();
        close();
    }

    @Override
    public String toString() {
        return "protection domain";
    }
}
