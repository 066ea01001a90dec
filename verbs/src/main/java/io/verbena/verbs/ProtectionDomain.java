package io.verbena.verbs;

import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.MemoryWindowType;
import io.verbena.verbs.attr.SharedReceiveQueueOptions;
import java.lang.foreign.MemorySegment;

/// A group of memory regions and queue pairs: a region is reachable only through queue pairs of its domain. Counterpart
/// of `struct ibv_pd`.
///
/// `java.security` has a class of the same name. A source file that imports whole modules, as compact source files
/// do with `java.base`, must name the one it means: `import io.verbena.verbs.ProtectionDomain;`, or say `var pd`.
public interface ProtectionDomain extends AutoCloseable {
    /// The device it was made from.
    Context context();

    /// Allocates memory, zeroed and page aligned, and registers it until the region is closed. The first choice.
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

    /// Makes a memory window that is not bound yet. Counterpart of `ibv_alloc_mw`.
    default MemoryWindow allocateMemoryWindow(MemoryWindowType type) {
        throw new UnsupportedVerbException(context().device().name(), "ibv_alloc_mw");
    }

    /// Makes a queue pair; it is in the state RESET. Counterpart of `ibv_create_qp`.
    QueuePair createQueuePair(QueuePairOptions options);

    /// Makes a receive queue for several queue pairs. Counterpart of `ibv_create_srq`.
    default SharedReceiveQueue createSharedReceiveQueue(SharedReceiveQueueOptions options) {
        throw new UnsupportedVerbException(context().device().name(), "ibv_create_srq");
    }

    /// Prepares an address that datagrams are sent to. Counterpart of `ibv_create_ah`.
    default AddressHandle createAddressHandle(AddressVector address) {
        throw new UnsupportedVerbException(context().device().name(), "ibv_create_ah");
    }

    /// An address handle back to the sender of a datagram; `grhArea` is the receive buffer's first 40 bytes.
    /// Counterpart of `ibv_create_ah_from_wc`.
    default AddressHandle createAddressHandle(WorkCompletion completion, MemorySegment grhArea, int port) {
        throw new UnsupportedVerbException(context().device().name(), "ibv_create_ah_from_wc");
    }

    /// Closes the domain; EBUSY while regions, windows, queue pairs, queues or handles live. Counterpart of
    /// `ibv_dealloc_pd`.
    @Override
    void close();
}
