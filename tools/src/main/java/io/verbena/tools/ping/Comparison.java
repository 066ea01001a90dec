package io.verbena.tools.ping;

import io.verbena.report.measure.CpuTime;
import io.verbena.tools.device.DeviceChoice;
import io.verbena.tools.device.PathSeen;
import io.verbena.tools.program.Output;
import io.verbena.tools.program.PrintablePattern;
import io.verbena.tools.program.ProgramException;
import io.verbena.tools.program.ProgramOptions;
import io.verbena.tools.program.Progress;
import io.verbena.tools.program.Result;
import io.verbena.tools.program.Statistics;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/// `--compare`: all nine modes between this process and a server process. One connection at a time, because a side that
/// spins takes a core as long as it is connected.
///
/// Each mode is warmed up first. Then they take turns, in this order and in the reverse, so that no mode profits from
/// what the JIT compiler learns meanwhile.
final class Comparison {
    private static final int FIRST_PORT = 12321;
    private static final int ROUNDS = 4;
    /// A turn ends after the round trips of `--count`, or after this time.
    private static final Duration LONGEST_TURN = Duration.ofMillis(400);

    private static final Duration LONGEST_WARM_UP = Duration.ofSeconds(1);
    private static final Duration START = Duration.ofSeconds(30);
    /// Timeout of an attempt to connect to a server that is not up yet, before its liveness is checked.
    private static final Duration UNTIL_LOOK_AGAIN = Duration.ofSeconds(3);

    private static final Duration UNTIL_TRY_AGAIN = Duration.ofMillis(100);

    private final ProgramOptions options;
    private final Output output;
    private final PingParameters parameters;
    private final Duration idle;
    private final List<ComparisonRow> rows =
            WaitMode.ALL.stream().map(ComparisonRow::new).toList();
    private volatile int steps;
    private String path = "";

    Comparison(ProgramOptions options, PingParameters parameters, Duration idle) {
        this.options = options;
        this.output = options.output();
        this.parameters = parameters;
        this.idle = idle;
    }

    void run() {
        DeviceChoice device = options.device();
        InetAddress address = address(device);
        int all = (ROUNDS + 2) * rows.size();
        output.say("Nine ways of waiting between two processes, in turns; this takes half a minute.");
        try (var server = ComparisonServer.start(device.provider().name(), address, options.path(), output);
                var _ = Progress.start(output, () -> steps, all)) {
            awaitServer(server, address);
            compare(server, address);
        } finally {
            print(); // also after Ctrl-C
        }
    }

    private void compare(ComparisonServer server, InetAddress address) {
        for (ComparisonRow row : rows) {
            turn(row, address, server, LONGEST_WARM_UP, new ComparisonRow.Usage());
            row.times().reset(); // the warm-up
        }
        for (int round = 0; round < ROUNDS; round++) {
            for (ComparisonRow row : round % 2 == 0 ? rows : rows.reversed()) {
                turn(row, address, server, LONGEST_TURN, row.busy());
            }
        }
        for (ComparisonRow row : rows) {
            idle(row, address, server);
        }
    }

    private void print() {
        List<ComparisonRow> seen =
                rows.stream().filter(ComparisonRow::isMeasured).toList();
        if (!seen.isEmpty()) {
            new ComparisonTable(
                            seen, parameters.size(), path, Runtime.getRuntime().availableProcessors())
                    .print(output);
        }
    }

    /// The address of the named device or of the adapter; else any loopback address.
    private static InetAddress address(DeviceChoice device) {
        InetAddress own =
                device.isSoft() ? device.address() : device.withDevice().address();
        if (own != null) {
            return own;
        }
        boolean hasMany = System.getProperty("os.name").equals("Linux"); // all of 127.0.0.0/8
        var random = ThreadLocalRandom.current();
        return InetAddress.ofLiteral(
                hasMany
                        ? "127." + random.nextInt(1, 255) + "." + random.nextInt(256) + "." + random.nextInt(1, 255)
                        : "127.0.0.1");
    }

    private PingSession connect(WaitMode mode, InetAddress address, Duration step) {
        int port = FIRST_PORT + WaitMode.ALL.indexOf(mode);
        var place = new PingPlace(
                options.connectionManager(), null, new InetSocketAddress(address, port), step, options.timeout());
        var asLongAsItTakes = new PingParameters(PingParameters.MOST, parameters.size());
        return PingSession.connect(place, mode, asLongAsItTakes, new Statistics());
    }

    /// Tries to connect until the server is up with the last of the modes.
    private void awaitServer(ComparisonServer server, InetAddress address) {
        long start = System.nanoTime();
        for (ComparisonRow row : rows) {
            while (!isUp(row.mode(), address)) {
                if (!server.isAlive() || System.nanoTime() - start > START.toNanos()) {
                    throw new ProgramException("the server process did not come up"
                            + (server.isAlive() ? " within " + START.toSeconds() + " s" : "; it says why above"));
                }
                LockSupport.parkNanos(UNTIL_TRY_AGAIN.toNanos());
                if (Thread.interrupted()) {
                    throw Result.interrupt("wait for the server");
                }
            }
        }
    }

    private boolean isUp(WaitMode mode, InetAddress address) {
        try (PingSession _ = connect(mode, address, UNTIL_LOOK_AGAIN)) {
            return true;
        } catch (ProgramException notYet) {
            return false;
        }
    }

    private void turn(
            ComparisonRow row,
            InetAddress address,
            ComparisonServer server,
            Duration longest,
            ComparisonRow.Usage usage) {
        try (PingSession session = connect(row.mode(), address, options.step())) {
            var seen = PathSeen.from(session.id().context());
            PrintablePattern.fill(session.ping(), 0);
            measure(server, usage, () -> {
                long begin = System.nanoTime();
                long now = begin;
                for (long i = 0; i < parameters.count() && now - begin < longest.toNanos(); i++) {
                    long start = now;
                    session.roundTrip();
                    now = System.nanoTime();
                    row.roundTrip(now - start);
                }
            });
            path = seen.path();
        }
        steps++;
    }

    private void idle(ComparisonRow row, InetAddress address, ComparisonServer server) {
        try (PingSession session = connect(row.mode(), address, options.step())) {
            session.roundTrip(); // after it both sides wait
            measure(server, row.idle(), () -> session.idle(idle));
        }
        steps++;
    }

    private static void measure(ComparisonServer server, ComparisonRow.Usage usage, Runnable work) {
        long start = System.nanoTime();
        CpuTime client = CpuTime.now();
        CpuTime serverBefore = server.cpu();
        work.run();
        CpuTime serverUsed = server.cpu().minus(serverBefore);
        usage.add(Duration.ofNanos(System.nanoTime() - start), CpuTime.now().minus(client), serverUsed);
    }
}
