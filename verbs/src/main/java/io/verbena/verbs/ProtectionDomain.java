package io.verbena.verbs;

import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.MemoryWindowType;
import io.verbena.verbs.attr.SharedReceiveQueueOptions;
import java.lang.foreign.MemorySegment;

/// What belongs together: memory is reachable only through queue pairs of the same domain. Counterpart of `struct
/// ibv_pd`.
///
/// `java.security` has a class of the same name. A source file that imports whole modules, as compact source files
/// do with `java.base`, must name the one it means: `import io.verbena.verbs.ProtectionDomain;`.
public interface ProtectionDomain extends AutoCloseable {
    Context context();

    /// Memory of the library's own, zeroed and page aligned, registered until the region is closed: the first
    /// choice.
    MemoryRegion allocate(long bytes, Access... access);

    /// Registers memory the caller has. It must be native memory that any thread may touch (a shared, automatic or
    /// global arena) and must outlive the region. Registration is slow on adapters, so reuse regions. Counterpart
    /// of `ibv_reg_mr`.
    MemoryRegion register(MemorySegment memory, Access... access);

    /// As [#register(MemorySegment, Access...)], but addresses in requests and on the wire count from `iova`.
    /// Counterpart of `ibv_reg_mr_iova`.
    default MemoryRegion register(MemorySegment memory, long iova, Access... access) {
        throw new UnsupportedVerbException(context().device().name(), "ibv_reg_mr_iova");
    }

    /// Counterpart of `ibv_alloc_mw`.
    default MemoryWindow allocateMemoryWindow(MemoryWindowType type) {
        throw new UnsupportedVerbException(context().device().name(), "ibv_alloc_mw");
    }

    /// Counterpart of `ibv_create_qp`.
    QueuePair createQueuePair(QueuePairOptions options);

    /// Counterpart of `ibv_create_srq`.
    default SharedReceiveQueue createSharedReceiveQueue(SharedReceiveQueueOptions options) {
        throw new UnsupportedVerbException(context().device().name(), "ibv_create_srq");
    }

    /// Counterpart of `ibv_create_ah`.
    default AddressHandle createAddressHandle(AddressVector address) {
        throw new UnsupportedVerbException(context().device().name(), "ibv_create_ah");
    }

    /// An address handle back to the sender of a datagram; `grhArea` is the receive buffer's first 40 bytes.
    /// Counterpart of `ibv_create_ah_from_wc`.
    default AddressHandle createAddressHandle(WorkCompletion completion, MemorySegment grhArea, int port) {
        throw new UnsupportedVerbException(context().device().name(), "ibv_create_ah_from_wc");
    }

    /// Counterpart of `ibv_dealloc_pd`; EBUSY while regions, windows, queue pairs, queues or handles live.
    @Override
    void close();
}
