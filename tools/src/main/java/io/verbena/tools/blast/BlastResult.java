package io.verbena.tools.blast;

import io.verbena.tools.program.Output;
import io.verbena.tools.program.Result;
import io.verbena.tools.program.Statistics;
import io.verbena.verbs.cm.ConnectionId;
import java.util.Locale;
import java.util.Map;

/// The result of one connection, filled in while it runs.
final class BlastResult extends Result {
    private final boolean verify;
    private final Statistics statistics = new Statistics();
    private BlastParameters parameters;
    private long chains;
    private long chained;
    private long acknowledgements;
    private long acknowledged;
    private boolean established;
    private String path = "";
    /// Time when half of the messages were done; 0 before.
    private long halfNs;

    private double secondHalfPerSecond = Double.NaN;

    BlastResult(String role, boolean verify) {
        super(role);
        this.verify = verify;
    }

    Statistics statistics() {
        return statistics;
    }

    void connected(ConnectionId id, BlastParameters agreed) {
        connected(id);
        parameters = agreed;
    }

    /// The connection is established: from here on there is a result to print.
    void established() {
        established = true;
    }

    /// A chain of that many requests was posted.
    void chain(int requests) {
        chains++;
        chained += requests;
    }

    /// Number of acknowledgements, and of the messages they acknowledged.
    void acknowledgements(long count, long messages) {
        acknowledgements = count;
        acknowledged = messages;
    }

    /// One more message was sent or received.
    void message(long bytes) {
        statistics.message(bytes);
        if (statistics.messages() == parameters.count() / 2) {
            halfNs = System.nanoTime();
        }
    }

    /// The data phase is over.
    ///
    /// @param messagePath the path of the messages; empty when unknown
    void stop(String messagePath) {
        statistics.stop();
        path = statistics.messages() > 0 ? messagePath : "";
        long half = parameters.count() / 2;
        if (halfNs != 0 && statistics.messages() > half) {
            secondHalfPerSecond = (statistics.messages() - half) * 1e9 / (System.nanoTime() - halfNs);
        }
    }

    void print(Output output, boolean withStatistics) {
        output.result(json());
        if (!established) {
            return;
        }
        output.say(
                "%s %s: %,d%s messages of %,d bytes, %,d acknowledged with %,d messages%s%s%s",
                isClient() ? "server" : "client",
                peer(),
                statistics.messages(),
                statistics.messages() >= parameters.count()
                        ? ""
                        : String.format(Locale.ROOT, " of %,d", parameters.count()),
                parameters.size(),
                acknowledged,
                acknowledgements,
                isVerified() ? ", every byte verified" : "",
                path.isEmpty() ? "" : ", over " + path,
                statistics.messages() == 0
                        ? ""
                        : String.format(
                                Locale.ROOT,
                                ": %,.0f messages per second, %,.2f megabits per second",
                                statistics.messagesPerSecond(),
                                statistics.megabitsPerSecond()));
        if (withStatistics) {
            statistics.print(output);
            if (!Double.isNaN(secondHalfPerSecond)) {
                output.say(
                        "  %,.0f messages per second in the second half: in the first second or two Java still compiles;",
                        secondHalfPerSecond);
                output.say("  --spin on both sides is faster, and for bandwidth there is: verbena perf send-bw");
            }
            if (chains > 0) {
                output.say("  %,d chains of %.1f requests on average", chains, (double) chained / chains);
            }
        }
    }

    /// Only the receiver can verify.
    private boolean isVerified() {
        return verify && !hasFailed() && !isStopped() && !isClient();
    }

    @Override
    public Map<String, Object> json() {
        if (parameters != null) {
            put("count", parameters.count()).put("size", parameters.size()).put("buffers", parameters.buffers());
        }
        put("acknowledgements", acknowledgements).put("acknowledged", acknowledged);
        if (isClient()) {
            put("chains", chains).put("chained", chained);
        } else {
            put("verified", isVerified());
        }
        if (!path.isEmpty()) {
            put("path", path);
        }
        put("statistics", statistics.json()).put("secondHalfMessagesPerSecond", secondHalfPerSecond);
        return super.json();
    }
}
