package io.verbena.bench.peer;

import io.verbena.bench.side.Contestant;
import io.verbena.bench.side.Measurement;
import io.verbena.bench.side.Network;
import io.verbena.bench.side.RunResult;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A benchmark program of another library, started for each run. It takes a number of messages, not a time. Short runs
/// first determine how many messages fit, and the cost of the start.
abstract class ProgramContestant implements Contestant {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Duration EXTRA = Duration.ofSeconds(5);
    private static final int FEW = 50;
    private static final int FEW_LARGE = 5;
    private static final int LARGE_BYTES = 256 << 10;
    private static final long MOST = 50_000_000;
    private static final double LEARNING_NS = 20e6;

    private final String name;
    private final String program;
    private final String remedy;
    private final Network network;
    private final ProgramPair pair;
    private final Map<Measurement, Learnt> learnt = new HashMap<>();

    ProgramContestant(String name, String program, String remedy, Map<String, String> environment, Network network) {
        this.name = name;
        this.program = program;
        this.remedy = remedy;
        this.network = network;
        this.pair = new ProgramPair(name, environment, network);
    }

    /// - `iterationNs`: time of one more iteration
    /// - `startCpuNs`: CPU time of the start
    private record Learnt(double iterationNs, double startCpuNs) {}

    /// - `iterationNs`: mean time of an iteration
    /// - `messages`: messages in an iteration; a round trip counts as one
    record Outcome(RunResult result, double iterationNs, int messages) {}

    /// Arguments of server and client.
    record Arguments(List<String> server, List<String> client) {}

    abstract Arguments arguments(Measurement measurement, long iterations, int port);

    abstract Outcome outcome(Measurement measurement, List<String> output) throws IOException;

    final String program() {
        return program;
    }

    final String serverAddress() {
        return network.serverAddress();
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final Optional<String> missing() {
        return Programs.find(program).isPresent()
                ? Optional.empty()
                : Optional.of("there is no program " + program + " here: " + remedy);
    }

    /// Programs in C need no warm-up, but the time of a message is determined here.
    @Override
    public final void warmUp(Measurement measurement, Duration time) throws Exception {
        learnt(measurement);
    }

    @Override
    public final RunResult run(Measurement measurement, Duration time) throws Exception {
        Learnt known = learnt(measurement);
        long iterations = Math.clamp((long) (time.toNanos() / known.iterationNs), FEW_LARGE, MOST);
        Run run = start(measurement, iterations);
        learnt.put(measurement, new Learnt(run.outcome.iterationNs, known.startCpuNs));
        double cpuNs = Math.max(0, run.cpuNs - known.startCpuNs) / iterations / run.outcome.messages;
        return run.outcome.result.withUsage(cpuNs, Double.NaN);
    }

    private Learnt learnt(Measurement measurement) throws IOException, InterruptedException {
        Learnt known = learnt.get(measurement);
        if (known == null) {
            long few = measurement.size() > LARGE_BYTES ? FEW_LARGE : FEW;
            Run first = start(measurement, few);
            double startCpuNs = Math.max(0, first.cpuNs - 2 * few * first.outcome.iterationNs);
            long more = Math.clamp((long) (LEARNING_NS / first.outcome.iterationNs), 1, MOST);
            double iterationNs = more > few ? start(measurement, more).outcome.iterationNs : first.outcome.iterationNs;
            known = new Learnt(iterationNs, startCpuNs);
            learnt.put(measurement, known);
        }
        return known;
    }

    private record Run(Outcome outcome, double cpuNs) {}

    private Run start(Measurement measurement, long iterations) throws IOException, InterruptedException {
        String file = Programs.find(program)
                .orElseThrow(() -> new IOException("there is no program " + program + " any more: " + remedy))
                .toString();
        int port = Ports.free();
        Arguments arguments = arguments(measurement, iterations, port);
        ProgramPair.Output output =
                pair.run(command(file, arguments.server), command(file, arguments.client), port, LIMIT);
        return new Run(outcome(measurement, output.lines()), output.cpuNs());
    }

    /// When the benchmark itself is killed nothing ends its children, so they are run by `timeout` where it is
    /// installed.
    static List<String> command(String file, List<String> arguments) {
        List<String> command = new ArrayList<>();
        Programs.find("timeout").ifPresent(timeout -> {
            long seconds = LIMIT.plus(EXTRA).toSeconds();
            command.addAll(List.of(timeout.toString(), "--signal=KILL", Long.toString(seconds)));
        });
        command.add(file);
        command.addAll(arguments);
        return command;
    }

    @Override
    public final void close() {
        pair.close();
    }
}
