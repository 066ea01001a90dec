package io.verbena.rdmacore;

import io.verbena.rdmacore.lib.Failures;
import io.verbena.rdmacore.lib.Failures.Subject;
import io.verbena.rdmacore.lib.IbVerbs;
import io.verbena.rdmacore.mem.NativeMemoryRegion;
import io.verbena.rdmacore.mem.NativeMemoryWindow;
import io.verbena.rdmacore.qp.NativeAddressHandle;
import io.verbena.rdmacore.qp.NativeQueuePair;
import io.verbena.rdmacore.qp.NativeSharedReceiveQueue;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.MemoryWindowType;
import io.verbena.verbs.attr.SharedReceiveQueueOptions;
import io.verbena.verbs.spi.OwnQueues;
import java.lang.foreign.MemorySegment;

/// A protection domain of a native device.
public final class NativeProtectionDomain implements ProtectionDomain {
    private static final String CLOSE = "close protection domain";

    private final NativeContext context;
    private final long address;
    private final boolean owned;
    private final Lifetime lifetime = new Lifetime("the protection domain");

    /// @param owned whether closing it gives the C object back too
    public NativeProtectionDomain(NativeContext context, long address, boolean owned) {
        this.context = context;
        this.address = address;
        this.owned = owned;
        context.lifetime().children().add(this);
    }

    /// The `struct ibv_pd`.
    public long address() {
        return address;
    }

    public Lifetime lifetime() {
        return lifetime;
    }

    @Override
    public NativeContext context() {
        return context;
    }

    @Override
    public NativeMemoryRegion allocate(long bytes, Access... access) {
        return lifetime.use("allocate memory region", () -> NativeMemoryRegion.allocate(this, bytes, access));
    }

    @Override
    public NativeMemoryRegion register(MemorySegment memory, Access... access) {
        return lifetime.use("register memory", () -> NativeMemoryRegion.register(this, memory, access));
    }

    @Override
    public NativeMemoryRegion register(MemorySegment memory, long iova, Access... access) {
        return lifetime.use("register memory", () -> NativeMemoryRegion.register(this, memory, iova, access));
    }

    @Override
    public NativeQueuePair createQueuePair(QueuePairOptions options) {
        OwnQueues.requireNone(options);
        return lifetime.use("create queue pair", () -> NativeQueuePair.create(this, options));
    }

    @Override
    public NativeMemoryWindow allocateMemoryWindow(MemoryWindowType type) {
        return lifetime.use("allocate memory window", () -> NativeMemoryWindow.allocate(this, type));
    }

    @Override
    public NativeSharedReceiveQueue createSharedReceiveQueue(SharedReceiveQueueOptions options) {
        return lifetime.use("create shared receive queue", () -> NativeSharedReceiveQueue.create(this, options));
    }

    @Override
    public NativeAddressHandle createAddressHandle(AddressVector address) {
        return lifetime.use("create address handle", () -> NativeAddressHandle.create(this, address));
    }

    @Override
    public NativeAddressHandle createAddressHandle(WorkCompletion completion, MemorySegment grhArea, int port) {
        return lifetime.use("create address handle", () -> NativeAddressHandle.create(this, completion, grhArea, port));
    }

    @Override
    public void close() {
        boolean ended = lifetime.end(CLOSE, () -> {
            int failed = owned ? IbVerbs.LIB.deallocPd(address) : 0;
            if (failed != 0) {
                throw Failures.of(Subject.DEVICE, CLOSE, failed);
            }
        });
        if (ended) {
            context.lifetime().children().remove(this);
        }
    }

    void closeAll() {
        lifetime.children().closeAll();
        close();
    }

    @Override
    public String toString() {
        return "protection domain";
    }
}
