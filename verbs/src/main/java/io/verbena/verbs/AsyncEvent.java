package io.verbena.verbs;

import io.verbena.verbs.attr.AsyncEventType;

/// An event that is not a completion. [#source] is the [QueuePair], [CompletionQueue] or [SharedReceiveQueue] it
/// happened to, or the [Context] for port and device events ([#port] is then the port, else 0). Counterpart of `struct
/// ibv_async_event`; acknowledged when taken.
public record AsyncEvent(AsyncEventType type, Object source, int port) {}
