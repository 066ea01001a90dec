package io.verbena.tools.ping;

import io.verbena.tools.program.Waiting;
import io.verbena.verbs.CompletionQueue;
import java.util.Locale;
import java.util.function.BiFunction;

/// `--wait`: how a program waits for completions.
enum CompletionWait {
    /// Polls the queue all the time, without a channel.
    SPIN((_, _) -> Waiting.spinning()),
    /// Sleeps on the completion channel.
    NOTIFY((cq, _) -> Waiting.notified(cq)),
    /// Sleeps on several channels at once.
    POLL((cq, events) -> new PollWaiting(cq, events.pollable()));

    private final BiFunction<CompletionQueue, ConnectionEvents, Waiting> waiting;

    CompletionWait(BiFunction<CompletionQueue, ConnectionEvents, Waiting> waiting) {
        this.waiting = waiting;
    }

    /// Whether threads sleep, and so need a completion channel.
    boolean sleeps() {
        return this != SPIN;
    }

    Waiting open(CompletionQueue cq, ConnectionEvents events) {
        return waiting.apply(cq, events);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
