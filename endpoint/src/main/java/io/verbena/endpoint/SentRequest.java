package io.verbena.endpoint;

import io.verbena.verbs.attr.CompletionStatus;

/// What is to be done when a request of the send queue is complete. Called by the owner of the hub, once.
interface SentRequest {
    void onCompleted(CompletionStatus status);
}
