package io.verbena.tools.ping;

import io.verbena.verbs.cm.ConnectionParameters;

/// One of the nine ways of waiting.
record PingWays(CmWay cm, WaitWay completions) {
    /// What both sides tell the connection manager, in the numbers of the C programs.
    static final ConnectionParameters PARAMETERS =
            ConnectionParameters.DEFAULT.withReads(2, 2).withRetries(5, 5);

    @Override
    public String toString() {
        return "--cm " + cm + " --wait " + completions;
    }
}
