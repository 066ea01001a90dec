package io.verbena.tools.ping;

import io.verbena.verbs.cm.ConnectionParameters;
import java.util.List;
import java.util.stream.Stream;

/// One of the nine modes: how to wait for events of the connection manager, and for completions.
record PingWays(CmWay cm, WaitWay completions) {
    /// The connection parameters of both sides, which are those of the C programs.
    static final ConnectionParameters PARAMETERS =
            ConnectionParameters.DEFAULT.withReads(2, 2).withRetries(5, 5);

    /// All nine modes, in the order of the course.
    static final List<PingWays> ALL = Stream.of(CmWay.values())
            .flatMap(cm -> Stream.of(WaitWay.values()).map(wait -> new PingWays(cm, wait)))
            .toList();

    /// Whether no thread of this mode ever sleeps.
    boolean spins() {
        return completions == WaitWay.SPIN;
    }

    @Override
    public String toString() {
        return "--cm " + cm + " --wait " + completions;
    }
}
