package io.verbena.tools.ping;

import io.verbena.tools.program.Waiting;
import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Context;
import java.util.Locale;
import java.util.function.BiFunction;

/// `--wait`: how a program waits for completions.
enum WaitWay {
    /// Polls the queue all the time, without a channel.
    SPIN((_, _) -> Waiting.spinning()),
    /// Sleeps on the completion channel.
    NOTIFY((cq, _) -> Waiting.notified(cq)),
    /// Sleeps on several channels at once.
    POLL((cq, events) -> new PollWaiting(cq, events.pollable()));

    private final BiFunction<CompletionQueue, ConnectionEvents, Waiting> waiting;

    WaitWay(BiFunction<CompletionQueue, ConnectionEvents, Waiting> waiting) {
        this.waiting = waiting;
    }

    /// Counterpart of `ibv_create_comp_channel`; null when no thread sleeps.
    CompletionChannel createChannel(Context context) {
        return this == SPIN ? null : context.createCompletionChannel();
    }

    Waiting open(CompletionQueue cq, ConnectionEvents events) {
        return waiting.apply(cq, events);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
