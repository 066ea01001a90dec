package io.verbena.rdmacore.qp;

import io.verbena.rdmacore.NativeContext;
import io.verbena.rdmacore.NativeProtectionDomain;
import io.verbena.rdmacore.layout.QpEx;
import io.verbena.rdmacore.layout.QpInitAttrEx;
import io.verbena.rdmacore.layout.VerbsContext;
import io.verbena.rdmacore.lib.IbVerbs;
import io.verbena.rdmacore.lib.WorkRequestCalls;
import io.verbena.verbs.UnsupportedVerbException;
import io.verbena.verbs.attr.DeviceCapability;
import io.verbena.verbs.attr.Operation;
import io.verbena.verbs.spi.SendRequestFields;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;

/// Posts the operations that `struct ibv_send_wr` lacks, ATOMIC_WRITE and FLUSH: by calls, on a queue pair that was
/// made for them. Counterpart of `ibv_wr_start` to `ibv_wr_complete`.
final class ExtendedSends {
    static final int ATOMIC_WRITE_BYTES = 8;

    private static final Set<Operation> OPERATIONS = EnumSet.of(Operation.ATOMIC_WRITE, Operation.FLUSH);
    /// `IBV_QP_INIT_ATTR_PD` and `IBV_QP_INIT_ATTR_SEND_OPS_FLAGS`.
    private static final int MASK = 1 | 0x40;

    private static final long FLUSH_FLAG = 0x800;
    private static final long ATOMIC_WRITE_FLAG = 0x1000;

    private final long qp;
    private final MemorySegment start;
    private final MemorySegment complete;
    private final MemorySegment atomicWrite;
    private final MemorySegment flush;
    /// The bytes of the atomic write that is being posted.
    private final MemorySegment data = Arena.ofAuto().allocate(ATOMIC_WRITE_BYTES, 8);

    /// @param qp a `struct ibv_qp_ex` that was made for these operations
    ExtendedSends(long qp, Set<Operation> operations) {
        this.qp = qp;
        this.start = MemorySegment.ofAddress(QpEx.WR_START.get(qp));
        this.complete = MemorySegment.ofAddress(QpEx.WR_COMPLETE.get(qp));
        this.atomicWrite = operations.contains(Operation.ATOMIC_WRITE)
                ? MemorySegment.ofAddress(QpEx.WR_ATOMIC_WRITE.get(qp))
                : null;
        this.flush = operations.contains(Operation.FLUSH) ? MemorySegment.ofAddress(QpEx.WR_FLUSH.get(qp)) : null;
    }

    static boolean isExtended(Operation operation) {
        return operation == Operation.ATOMIC_WRITE || operation == Operation.FLUSH;
    }

    /// Whether a queue pair for these operations must be made by [#create].
    static boolean areIn(Set<Operation> operations) {
        return operations.stream().anyMatch(OPERATIONS::contains);
    }

    /// Throws when the device, its driver or this release of rdma-core does not have the operation.
    static void require(NativeContext context, Operation operation) {
        Set<DeviceCapability> capabilities = context.attributes().capabilities();
        String device = context.device().name();
        if (operation == Operation.ATOMIC_WRITE && !capabilities.contains(DeviceCapability.ATOMIC_WRITE)) {
            throw new UnsupportedVerbException(device, "ibv_wr_atomic_write");
        }
        if (operation != Operation.FLUSH) {
            return;
        }
        if (!capabilities.contains(DeviceCapability.FLUSH_GLOBAL)
                && !capabilities.contains(DeviceCapability.FLUSH_PERSISTENT)) {
            throw new UnsupportedVerbException(device, "ibv_wr_flush");
        }
        if (!IbVerbs.knowFlush()) {
            throw new UnsupportedVerbException(device, "ibv_wr_flush", "install rdma-core 65 or newer, which has it");
        }
    }

    /// Makes a queue pair; `attr` is a `struct ibv_qp_init_attr_ex` whose first part is filled in. Its address, or the
    /// error number, negated.
    static long create(NativeProtectionDomain domain, long attr, Set<Operation> operations) {
        NativeContext context = domain.context();
        operations.forEach(operation -> require(context, operation));
        MemorySegment function = VerbsContext.function(context.address(), VerbsContext.CREATE_QP_EX)
                .orElseThrow(() -> new UnsupportedVerbException(context.device().name(), "ibv_create_qp_ex"));
        QpInitAttrEx.COMP_MASK.set(attr, MASK);
        QpInitAttrEx.PD.set(attr, domain.address());
        QpInitAttrEx.SEND_OPS_FLAGS.set(attr, flags(operations));
        return WorkRequestCalls.createQpEx(function, context.address(), attr);
    }

    private static long flags(Set<Operation> operations) {
        long flags = 0;
        for (Operation operation : operations) {
            flags |= switch (operation) {
                case FLUSH -> FLUSH_FLAG;
                case ATOMIC_WRITE -> ATOMIC_WRITE_FLAG;
                default -> 1L << operation.code();
            };
        }
        return flags;
    }

    /// For a queue pair that [#create] made; null for others.
    static ExtendedSends of(long qp, Set<Operation> operations) {
        long extended = areIn(operations) ? IbVerbs.LIB.qpToQpEx(qp) : 0;
        return extended == 0 ? null : new ExtendedSends(extended, operations);
    }

    /// Whether the queue pair was made for it.
    boolean take(Operation operation) {
        return operation == Operation.ATOMIC_WRITE ? atomicWrite != null : flush != null;
    }

    /// Reads the bytes of an atomic write that is about to be posted.
    void copyWord(NativeSendRequest request) {
        request.buffers.copyBytes(data, 0);
    }

    /// 0 or the error number. The caller holds the lock of the send queue, and has called [#copyWord].
    int post(NativeSendRequest request) {
        boolean isWrite = request.operation() == Operation.ATOMIC_WRITE;
        WorkRequestCalls.start(start, qp);
        QpEx.WR_ID.set(qp, request.wrId());
        QpEx.WR_FLAGS.set(qp, request.flags() & ~SendRequestFields.INLINE);
        if (isWrite) {
            WorkRequestCalls.atomicWrite(atomicWrite, qp, request.rkey(), request.remoteAddress(), data.address());
        } else {
            WorkRequestCalls.flush(
                    flush,
                    qp,
                    request.rkey(),
                    request.remoteAddress(),
                    request.operand(),
                    request.flushTypes(),
                    request.flushLevel());
        }
        return WorkRequestCalls.complete(complete, qp);
    }

    /// The message for an operation that the queue pair was not made for.
    static String notNamed(Operation operation) {
        return operation + " must be named when the queue pair is made: QueuePairOptions.operations(Operation."
                + operation.name() + ")";
    }
}
