package io.verbena.bench.peer;

import io.verbena.bench.side.Measurement;
import io.verbena.bench.side.Measurement.Kind;
import io.verbena.bench.side.Measurement.Operation;
import io.verbena.bench.side.Measurement.Waiting;
import io.verbena.bench.side.Names;
import io.verbena.bench.side.Network;
import io.verbena.bench.side.RunResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// UCX, by its own `ucx_perftest`. A tagged message is copied into the program's buffer, so it counts as read; a put is
/// noticed by its last bytes.
final class Ucx extends ProgramContestant {
    private static final int FETCH_ADD_BYTES = 8;
    private static final String REMEDY = "apt install ucx-utils, or name another with --ucx";
    private static final Map<String, String> ENVIRONMENT = Map.of("UCX_WARN_UNUSED_ENV_VARS", "n");

    private static final Map<Task, Test> MESSAGES = Map.of(
            new Task(Kind.ROUND_TRIP, Operation.SEND), new Test("tag_lat", 2),
            new Task(Kind.STREAM, Operation.SEND), new Test("tag_bw", 1),
            new Task(Kind.ROUND_TRIP, Operation.WRITE), new Test("ucp_put_lat", 2),
            new Task(Kind.STREAM, Operation.WRITE), new Test("ucp_put_bw", 1));
    /// Over TCP these operations wait for the peer's program, a millisecond each.
    private static final Map<Task, Test> MEMORY = Map.of(
            new Task(Kind.ROUND_TRIP, Operation.READ), new Test("ucp_get", 1, "-O", "1"),
            new Task(Kind.STREAM, Operation.READ), new Test("ucp_get", 1),
            new Task(Kind.ROUND_TRIP, Operation.FETCH_ADD), new Test("ucp_fadd", 1, "-O", "1"),
            new Task(Kind.STREAM, Operation.FETCH_ADD), new Test("ucp_fadd", 1));

    private final Map<Task, Test> tests;

    private record Task(Kind kind, Operation operation) {}

    /// - `times`: number of its times in a round trip
    private record Test(String name, int times, List<String> options) {
        Test(String name, int times, String... options) {
            this(name, times, List.of(options));
        }
    }

    private Ucx(String name, String program, Map<String, String> transport, Map<Task, Test> tests, Network network) {
        super(name, program, REMEDY, both(ENVIRONMENT, transport), network);
        this.tests = tests;
    }

    static Ucx posix(String program) {
        Map<String, String> transport = Map.of("UCX_TLS", "posix,self");
        return new Ucx(Names.UCX_POSIX, program, transport, both(MESSAGES, MEMORY), Network.LOOPBACK);
    }

    static Ucx tcp(String program, Network network) {
        Map<String, String> transport = Map.of("UCX_TLS", "tcp", "UCX_NET_DEVICES", network.device());
        return new Ucx(Names.UCX_TCP, program, transport, MESSAGES, network);
    }

    private static <K, V> Map<K, V> both(Map<K, V> one, Map<K, V> other) {
        Map<K, V> all = new HashMap<>(one);
        all.putAll(other);
        return Map.copyOf(all);
    }

    private static Task task(Measurement measurement) {
        return new Task(measurement.kind(), measurement.operation());
    }

    @Override
    public boolean can(Measurement m) {
        return tests.containsKey(task(m))
                && m.waiting() == Waiting.SPIN
                && m.read() == (m.operation() == Operation.SEND)
                && (m.operation() != Operation.FETCH_ADD || m.size() == FETCH_ADD_BYTES);
    }

    @Override
    Arguments arguments(Measurement measurement, long iterations, int port) {
        Test test = tests.get(task(measurement));
        List<String> server = List.of("-p", Integer.toString(port));
        List<String> client = new ArrayList<>(List.of(serverAddress()));
        client.addAll(server);
        client.addAll(List.of("-f", "-t", test.name, "-s", Integer.toString(measurement.size())));
        client.addAll(List.of("-n", Long.toString(iterations), "-w", Long.toString(Math.max(1, iterations / 10))));
        client.addAll(test.options);
        return new Arguments(server, client);
    }

    @Override
    Outcome outcome(Measurement measurement, List<String> output) throws IOException {
        UcxTable table = UcxTable.parse(output);
        double messageNs = 1e9 / table.messagesPerSecond();
        if (measurement.kind() == Kind.STREAM) {
            return new Outcome(RunResult.rate(measurement.size(), 1, messageNs), messageNs, 1);
        }
        double scale = 1e3 * tests.get(task(measurement)).times;
        double meanNs = table.meanUs() * scale;
        return new Outcome(RunResult.latency(table.medianUs() * scale, Double.NaN, meanNs), meanNs, 1);
    }

    /// The other programs of an installation are in the folder of the named one.
    static String versionProgram(String program) {
        return program.substring(0, program.lastIndexOf('/') + 1) + "ucx_info";
    }

    @Override
    public String remark() {
        return program() + " " + Programs.version(List.of(versionProgram(program()), "-v")) + ", two processes;"
                + " round trip of tag_lat and put_lat: twice its median of one direction;"
                + " tagged messages are copied out, so they are read, puts are not";
    }
}
