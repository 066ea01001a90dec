package io.verbena.tools.ping;

import io.verbena.verbs.cm.ConnectionParameters;
import java.util.List;
import java.util.stream.Stream;

/// One of the nine modes: how to wait for events of the connection manager, and for completions.
record WaitMode(EventWait cm, CompletionWait completions) {
    /// The connection parameters of both sides, which are those of the C programs.
    static final ConnectionParameters PARAMETERS =
            ConnectionParameters.DEFAULT.withReads(2, 2).withRetries(5, 5);

    /// All nine modes, in the order of the course.
    static final List<WaitMode> ALL = Stream.of(EventWait.values())
            .flatMap(cm -> Stream.of(CompletionWait.values()).map(wait -> new WaitMode(cm, wait)))
            .toList();

    /// Whether no thread of this mode ever sleeps.
    boolean spins() {
        return completions == CompletionWait.SPIN;
    }

    @Override
    public String toString() {
        return "--cm " + cm + " --wait " + completions;
    }
}
