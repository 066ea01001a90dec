package io.verbena.tools.ping;

import io.verbena.tools.program.Waiting;
import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Context;
import java.util.Locale;

/// `--wait`: how a program waits for completions.
enum WaitWay {
    /// Polls the queue all the time, without a channel.
    SPIN {
        @Override
        CompletionChannel createChannel(Context context) {
            return null;
        }

        @Override
        Waiting open(CompletionQueue cq, ConnectionEvents events) {
            return Waiting.spinning();
        }
    },
    /// Sleeps on the completion channel.
    NOTIFY {
        @Override
        Waiting open(CompletionQueue cq, ConnectionEvents events) {
            return Waiting.notified(cq);
        }
    },
    /// Sleeps on several channels at once.
    POLL {
        @Override
        Waiting open(CompletionQueue cq, ConnectionEvents events) {
            return new PollWaiting(cq, events.pollable());
        }
    };

    /// Counterpart of `ibv_create_comp_channel`; null when no thread sleeps.
    CompletionChannel createChannel(Context context) {
        return context.createCompletionChannel();
    }

    abstract Waiting open(CompletionQueue cq, ConnectionEvents events);

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
