package io.verbena.tools.blast;

import io.verbena.tools.program.Output;
import io.verbena.tools.program.Result;
import io.verbena.tools.program.Statistics;
import io.verbena.verbs.cm.ConnectionId;
import java.util.Locale;

/// What one connection came to. Filled in while it runs.
final class BlastResult {
    private final boolean client;
    private final boolean verify;
    private final Statistics statistics = new Statistics();
    private final Result result;
    private BlastParameters parameters;
    private long chains;
    private long chained;
    private long acknowledgements;
    private long acknowledged;
    private boolean established;
    private boolean ok = true;

    BlastResult(String role, boolean verify) {
        this.client = role.equals("client");
        this.verify = verify;
        this.result = new Result(role);
    }

    Statistics statistics() {
        return statistics;
    }

    void connected(ConnectionId id, BlastParameters agreed) {
        result.connected(id);
        parameters = agreed;
    }

    /// From here on there is something to tell.
    void established() {
        established = true;
    }

    /// A chain of that many requests was posted.
    void chain(int requests) {
        chains++;
        chained += requests;
    }

    /// How many there were, and how many messages they spoke of.
    void acknowledgements(long count, long messages) {
        acknowledgements = count;
        acknowledged = messages;
    }

    void failed(RuntimeException reason) {
        result.failed(reason);
        ok = false;
    }

    String peer() {
        return result.peer();
    }

    void print(Output output, boolean withStatistics) {
        output.result(json().json());
        if (!established) {
            return;
        }
        output.say(
                "%s %s: %,d%s messages of %,d bytes, %,d acknowledged with %,d messages%s%s",
                client ? "server" : "client",
                result.peer(),
                statistics.messages(),
                statistics.messages() >= parameters.count()
                        ? ""
                        : String.format(Locale.ROOT, " of %,d", parameters.count()),
                parameters.size(),
                acknowledged,
                acknowledgements,
                isVerified() ? ", every byte verified" : "",
                statistics.messages() == 0
                        ? ""
                        : String.format(
                                Locale.ROOT,
                                ": %,.0f messages per second, %,.2f megabits per second",
                                statistics.messagesPerSecond(),
                                statistics.megabitsPerSecond()));
        if (withStatistics) {
            statistics.print(output);
            if (chains > 0) {
                output.say("  %,d chains of %.1f requests on average", chains, (double) chained / chains);
            }
        }
    }

    /// Only who receives can tell.
    private boolean isVerified() {
        return verify && ok && !client;
    }

    private Result json() {
        if (parameters != null) {
            result.put("count", parameters.count())
                    .put("size", parameters.size())
                    .put("buffers", parameters.buffers());
        }
        result.put("acknowledgements", acknowledgements).put("acknowledged", acknowledged);
        if (client) {
            result.put("chains", chains).put("chained", chained);
        } else {
            result.put("verified", isVerified());
        }
        return result.put("statistics", statistics.json());
    }
}
