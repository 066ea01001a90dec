package io.verbena.soft.qp;

import io.verbena.soft.mem.AccessCheck;
import io.verbena.soft.mem.MemoryTable;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Operation;
import io.verbena.verbs.attr.QueuePairType;

/// Requests of a send queue that send nothing: binding a window and revoking a key. They take no PSN. Each is carried
/// out, completed and retired in one go when all before it are complete: revoking has to wait for that (rule MW-4),
/// and binding may. So nothing that follows leaves before, and a fence has nothing to wait for. Owned by the engine.
public final class LocalOperations {
    private final TransportService service;
    private final SendQueue queue;
    private final MemoryTable memory;

    LocalOperations(TransportService service) {
        this.service = service;
        this.queue = service.sends;
        this.memory = service.engine.memory();
    }

    public static boolean contains(Operation operation) {
        return operation == Operation.LOCAL_INVALIDATE || operation == Operation.BIND_MEMORY_WINDOW;
    }

    /// Carries out the oldest request of the queue, which is one of these. False when it failed.
    boolean carryOutHead() {
        long position = queue.head();
        CompletionStatus status =
                queue.operation(position) == Operation.LOCAL_INVALIDATE ? invalidate(position) : bind(position);
        if (status != CompletionStatus.SUCCESS) {
            fail(status);
            return false;
        }
        if (service.engine.local() != null) {
            // Roles of local connections may be in copies with the key as it was.
            service.engine.local().awaitCopies();
        }
        service.completions.succeed();
        service.onSendProgress();
        return true;
    }

    /// A reliable connection ends with its first failure, others go on receiving (rule ERR-1).
    private void fail(CompletionStatus status) {
        if (service.qp.type() != QueuePairType.RC) {
            service.failSend(status);
            return;
        }
        service.completions.end(status);
        service.enterError();
    }

    private CompletionStatus invalidate(long position) {
        return memory.invalidate(service.qp, queue.rkey(position)) == AccessCheck.OK
                ? CompletionStatus.SUCCESS
                : CompletionStatus.LOCAL_QP_OPERATION_ERROR;
    }

    private CompletionStatus bind(long position) {
        AccessCheck check = memory.bind(
                service.qp,
                queue.rkey(position),
                queue.immediate(position),
                queue.remoteAddress(position),
                queue.operand(position),
                (int) queue.secondOperand(position));
        if (check != AccessCheck.OK) {
            memory.onBindFailed(queue.rkey(position));
            return CompletionStatus.MEMORY_WINDOW_BIND_ERROR;
        }
        return CompletionStatus.SUCCESS;
    }
}
