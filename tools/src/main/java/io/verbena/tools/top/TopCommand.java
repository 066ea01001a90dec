package io.verbena.tools.top;

import io.verbena.report.Json;
import io.verbena.tools.program.ProgramException;
import io.verbena.tools.program.Usage;
import io.verbena.tools.text.StopSignal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Shows all Verbena processes of this user.
@Command(
        name = "top",
        sortOptions = false,
        description = "Show the devices and connections of all Verbena processes of this user on this host, live.",
        footer = {
            "",
            "Examples:",
            "  verbena top                              live, in the terminal; h shows the keys",
            "  verbena top --sort wait --filter udp     the connections over UDP that wait longest first",
            "  verbena top --once                       print once",
            "  verbena top --once --json                for programs",
            "  verbena top --web                        as a page in the browser, for this user only",
            "",
            "Columns: pid program device shard qp peer path state sent received packets outstanding receives",
            "retries rnr wait slowest age. docs/top.md explains them.",
            "",
            "Exit code 0, also when there is no process; 1 when it cannot look, 2 for wrong usage."
        })
public final class TopCommand implements Callable<Integer> {
    @Option(names = "--once", description = "Print once and end, also without a terminal.")
    private boolean isOnce;

    @Option(names = "--json", description = "With --once: print as JSON.")
    private boolean isJson;

    @Option(
            names = "--sort",
            paramLabel = "COLUMN",
            description = "The column to sort by, large numbers first. Default: ${DEFAULT-VALUE}.")
    private Column sort = Column.SENT;

    @Option(names = "--reverse", description = "Sort in the other direction.")
    private boolean isReversed;

    @Option(
            names = "--filter",
            paramLabel = "WORDS",
            description = "Only connections that have all these words in their row; -WORD leaves those with it out.")
    private String filter = "";

    @Option(
            names = "--interval",
            paramLabel = "SECONDS",
            description = "The time between two looks. Default: ${DEFAULT-VALUE}.")
    private double interval = 1;

    @Option(
            names = "--web",
            description =
                    "Serve the same as a page on 127.0.0.1, under an address with a random token, which it prints.")
    private boolean isWeb;

    @Option(names = "--port", paramLabel = "PORT", description = "With --web: the port. Default: a free one.")
    private int port;

    @Mixin
    private Usage usage;

    @Override
    public Integer call() {
        usage.require(interval >= 0.1 && interval <= 3600, "--interval is " + interval + "; give 0.1 to 3600 seconds");
        usage.require(!isJson || isOnce, "--json needs --once");
        usage.require(!isWeb || !isOnce, "--web and --once exclude each other");
        usage.require(isWeb || !usage.isGiven("--port"), "--port needs --web");
        usage.requirePort(port, true);
        Selection selection = new Selection(sort, isReversed, filter);
        Duration pause = Duration.ofNanos((long) (interval * 1e9));
        try (Watch watch = new Watch()) {
            if (isWeb) {
                serve(watch, pause, selection);
            } else if (isOnce || !Terminal.isThere()) {
                print(second(watch, pause), selection);
            } else {
                new LiveView(watch, pause, selection).run();
            }
        }
        return 0;
    }

    /// The address is only printed: as an argument of a program that opens a browser, all users of the host could read
    /// it.
    private void serve(Watch watch, Duration pause, Selection selection) {
        try (TopServer server = new TopServer(port, watch::look, pause, selection);
                var _ = new StopSignal()) {
            usage.out().println(server.address());
            usage.out().println("open this address in a browser of this host; Ctrl-C ends it");
            Thread.sleep(Duration.ofSeconds(Long.MAX_VALUE));
        } catch (InterruptedException e) {
            // Ctrl-C
        }
    }

    /// Rates need two looks.
    private static Snapshot second(Watch watch, Duration pause) {
        watch.look();
        try {
            Thread.sleep(pause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ProgramException("interrupted", e);
        }
        return watch.look();
    }

    private void print(Snapshot snapshot, Selection selection) {
        if (isJson) {
            List<ConnectionRow> rows = selection.of(snapshot.connections());
            usage.out().println(Json.write(TopJson.of(snapshot, rows, rows.size())));
        } else {
            Report.print(usage.out(), snapshot, selection);
        }
    }
}
