package io.verbena.tools.ping;

import io.verbena.tools.program.ProgramOptions;
import io.verbena.tools.text.ByteCount;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `ping`: all ping-sr programs of the OFA course on RDMA in one, with their protocol.
@Command(
        name = "ping",
        sortOptions = false,
        description = {
            "Sends a message back and forth, with nine ways of waiting.",
            "Speaks the protocol of ping-sr-0 to ping-sr-4 of the OFA course. Port 12321."
        },
        footer = {
            "",
            "Examples:",
            "  verbena ping                               serve every client, until stopped",
            "  verbena ping 127.0.0.1                     10000 round trips of 8 bytes",
            "  verbena ping 127.0.0.1 -c 500000 --stats   what the C programs do",
            "  verbena ping 127.0.0.1 -s 64k --verify     compare every byte",
            "  verbena ping 127.0.0.1 --cm poll --wait poll",
            "                                             one thread that sleeps while it waits",
            "  verbena ping --compare                     all nine ways, side by side",
            "",
            "The first round trips are slow, since Java still compiles; for latency: verbena perf send-lat.",
            "The ways of the C programs: ping-sr-0 and 1 sync + spin, 2 thread + spin,",
            "3 thread + notify, 4 poll + poll. Client and server may use different ones.",
            "",
            "Exit code 0 when every round trip was made (with --verify: right), 1 when not, 2 for wrong usage.",
        })
public final class PingCommand implements Callable<Integer> {
    static final int PORT = 12321;

    @Mixin
    private ProgramOptions options;

    @Option(
            names = {"-c", "--count"},
            paramLabel = "COUNT",
            description =
                    "Number of round trips (the client's value applies to both sides). Default: ${DEFAULT-VALUE}.")
    private long count = 10_000;

    @Option(
            names = {"-s", "--size"},
            paramLabel = "BYTES",
            converter = ByteCount.class,
            description = "Bytes of a message, up to 256m (the client's value applies to both sides)."
                    + " Default: ${DEFAULT-VALUE}.")
    private long size = 8;

    @Option(
            names = "--cm",
            paramLabel = "sync|thread|poll",
            description = {
                "How to wait for connection events: in each call, in a separate thread, or with a poller."
                        + " Default: ${DEFAULT-VALUE}."
            })
    private EventWait cm = EventWait.SYNC;

    @Option(
            names = "--wait",
            paramLabel = "spin|notify|poll",
            description = {
                "How to wait for completions: polling in a loop, asleep on their channel, or with a poller."
                        + " Default: ${DEFAULT-VALUE}."
            })
    private CompletionWait wait = CompletionWait.SPIN;

    @Option(
            names = "--compare",
            description = "Run all nine ways with a server process, and compare latency and CPU time.")
    private boolean compare;

    @Option(names = "--all-ways", hidden = true, description = "Server of --compare: all nine ways, until input ends.")
    private boolean allWays;

    @Option(
            names = "--idle",
            paramLabel = "MS",
            hidden = true,
            description = "With --compare: how long to measure each way without messages.")
    private int idleMs = 1_000;

    @Override
    public Integer call() {
        var parameters = new PingParameters(count, size);
        String complaint = parameters.complaint();
        options.require(complaint == null, "--" + complaint);
        options.require(!compare || options.isServer(), "--compare takes no HOST: it starts a server of its own");
        var mode = new WaitMode(cm, wait);
        return options.run(() -> {
            if (compare) {
                new Comparison(options, parameters, Duration.ofMillis(idleMs)).run();
            } else if (allWays) {
                PingServer.serveAllWays(options, PORT, parameters);
            } else if (options.isServer()) {
                PingServer.serve(options, PORT, mode, parameters);
            } else {
                new PingClient(options, mode, parameters).run(place());
            }
        });
    }

    private PingPlace place() {
        return new PingPlace(
                options.connectionManager(),
                options.source(),
                options.serverAddress(PORT),
                options.step(),
                options.timeout());
    }
}
