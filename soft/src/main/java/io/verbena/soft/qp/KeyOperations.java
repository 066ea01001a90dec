package io.verbena.soft.qp;

import io.verbena.soft.mem.AccessCheck;
import io.verbena.soft.mem.MemoryTable;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Operation;
import io.verbena.verbs.attr.QueuePairType;

/// Executes requests of a send queue that only change keys and send nothing: binding a window and revoking a key. They
/// take no PSN. Each is executed, completed and retired at once when all requests before it are complete: revoking must
/// wait for them (rule MW-4), and binding may. So no later request overtakes them, and a fence has nothing to wait for.
/// Owned by the engine.
public final class KeyOperations {
    private final TransportService service;
    private final SendQueue queue;
    private final MemoryTable memory;

    KeyOperations(TransportService service) {
        this.service = service;
        this.queue = service.sends;
        this.memory = service.engine.memory();
    }

    public static boolean contains(Operation operation) {
        return operation == Operation.LOCAL_INVALIDATE || operation == Operation.BIND_MEMORY_WINDOW;
    }

    /// Executes the oldest request of the queue, which is one of these. False when it failed.
    boolean executeHead() {
        long position = queue.head();
        CompletionStatus status =
                queue.operation(position) == Operation.LOCAL_INVALIDATE ? invalidate(position) : bind(position);
        if (status != CompletionStatus.SUCCESS) {
            fail(status);
            return false;
        }
        // Others may still be copying with the old key.
        service.qp.protectionDomain().context().engines().awaitCopies(service.engine);
        service.completions.succeed();
        service.onSendProgress();
        return true;
    }

    /// A reliable connection ends with its first failure; other types continue receiving (rule ERR-1).
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
