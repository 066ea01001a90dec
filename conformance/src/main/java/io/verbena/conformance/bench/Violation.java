package io.verbena.conformance.bench;

import io.verbena.verbs.attr.CompletionStatus;

/// A mistake in a request, and the statuses that the specification gives for it.
public enum Violation {
    SEND_BUFFER_KEY(CompletionStatus.LOCAL_PROTECTION_ERROR, null),
    SEND_BUFFER_RANGE(CompletionStatus.LOCAL_PROTECTION_ERROR, null),
    READ_BUFFER(CompletionStatus.LOCAL_PROTECTION_ERROR, null),
    RECEIVE_TOO_SMALL(CompletionStatus.REMOTE_INVALID_REQUEST, CompletionStatus.LOCAL_LENGTH_ERROR),
    RECEIVE_BUFFER(CompletionStatus.REMOTE_OPERATION_ERROR, CompletionStatus.LOCAL_PROTECTION_ERROR),
    REMOTE_MEMORY(CompletionStatus.REMOTE_ACCESS_ERROR, null),
    REMOTE_QUEUE_PAIR_RIGHT(CompletionStatus.REMOTE_INVALID_REQUEST, null),
    NO_READ_RESOURCES(CompletionStatus.REMOTE_INVALID_REQUEST, null),
    WINDOW_BINDING(CompletionStatus.MEMORY_WINDOW_BIND_ERROR, null),
    NO_RECEIVE(CompletionStatus.RNR_RETRY_EXCEEDED, null),
    SILENT_PEER(CompletionStatus.RETRY_EXCEEDED, null),
    UNALIGNED_ATOMIC(CompletionStatus.REMOTE_INVALID_REQUEST, null),
    LOCAL_INVALIDATION(CompletionStatus.LOCAL_QP_OPERATION_ERROR, null);

    private final CompletionStatus requester;
    private final CompletionStatus responder;

    Violation(CompletionStatus requester, CompletionStatus responder) {
        this.requester = requester;
        this.responder = responder;
    }

    /// How the request ends.
    public CompletionStatus requester() {
        return requester;
    }

    /// How the receive that the request met ends; null when it meets none.
    public CompletionStatus responder() {
        return responder;
    }
}
