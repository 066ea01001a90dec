package io.verbena.soft.qp;

import io.verbena.soft.engine.Engines;
import io.verbena.soft.mem.AccessCheck;
import io.verbena.soft.mem.MemoryTable;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Operation;
import io.verbena.verbs.attr.QueuePairType;

/// Executes requests of a send queue that only change keys and send nothing: binding a window and revoking a key. They
/// take no PSN. Each is executed, completed and retired when all requests before it are complete, which revoking must
/// wait for (rule MW-4) and binding may, and no later one begins before that. So a fence has nothing to wait for. Owned
/// by the engine.
public final class KeyOperations {
    private final TransportService service;
    private final SendQueue queue;
    private final MemoryTable memory;

    /// The request whose key was changed last, how that went, and whether others may still use the old key.
    private long changed = -1;

    private CompletionStatus status;
    private boolean waits;

    KeyOperations(TransportService service) {
        this.service = service;
        this.queue = service.sends;
        this.memory = service.engine.memory();
    }

    public static boolean contains(Operation operation) {
        return operation == Operation.LOCAL_INVALIDATE || operation == Operation.BIND_MEMORY_WINDOW;
    }

    /// Changes the key that the oldest request of the queue, which is one of these, names, unless that was done. False
    /// while others may still be copying with the old key; the queue pair is activated when they are done.
    boolean isHeadReady() {
        long position = queue.head();
        if (changed != position) {
            changed = position;
            waits = false;
            status = queue.operation(position) == Operation.LOCAL_INVALIDATE ? invalidate(position) : bind(position);
            if (status == CompletionStatus.SUCCESS) {
                awaitCopies(position);
            }
        }
        return !waits;
    }

    /// A key for one queue pair is used by its engine only, which is this one.
    private void awaitCopies(long position) {
        if (service.engine.local() != null) {
            service.engine.local().awaitCopies();
        }
        if (memory.isForAll(queue.rkey(position))) {
            Engines engines = service.qp.protectionDomain().context().engines();
            waits = engines.afterCopiesOfOthers(service.engine, () -> onCopiesEnded(position));
        }
    }

    /// Meanwhile the request may have been flushed, or the queue pair closed.
    private void onCopiesEnded(long position) {
        if (changed == position && queue.head() == position && !queue.isEmpty()) {
            waits = false;
            service.activate();
        }
    }

    /// Ends the oldest request, which is ready. False when it failed.
    boolean endHead() {
        if (status != CompletionStatus.SUCCESS) {
            fail(status);
            return false;
        }
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
        service.completions.fail(status);
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
