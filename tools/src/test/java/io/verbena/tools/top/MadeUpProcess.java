package io.verbena.tools.top;

import io.verbena.soft.status.ConnectionPath;
import io.verbena.soft.status.ConnectionStatus;
import io.verbena.soft.status.DeviceStatus;
import io.verbena.soft.status.ProcessStatus;
import io.verbena.soft.status.ShardStatus;
import io.verbena.soft.status.StatusSocket;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.attr.QueuePairType;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A process that never ran, with numbers that a test sets.
final class MadeUpProcess {
    static final long SECOND_NS = 1_000_000_000;

    private final long pid;
    private final List<ConnectionStatus> connections = new ArrayList<>();
    private final Map<String, Long> counters = new HashMap<>();
    private long nowNs = 5;
    private long cpuNs;

    MadeUpProcess(long pid) {
        this.pid = pid;
    }

    /// Begins the next snapshot.
    MadeUpProcess after(double seconds) {
        nowNs += (long) (seconds * SECOND_NS);
        connections.clear();
        return this;
    }

    MadeUpProcess cpu(double seconds) {
        cpuNs += (long) (seconds * SECOND_NS);
        return this;
    }

    MadeUpProcess counter(String name, long value) {
        counters.put(name, value);
        return this;
    }

    MadeUpProcess with(ConnectionStatus connection) {
        connections.add(connection);
        return this;
    }

    /// A connection to 10.0.0.x over UDP, in RTS.
    static ConnectionStatus udp(int number, long sent, long outstanding, int psn) {
        return connection(number, ConnectionPath.UDP, QueuePairState.RTS, sent, outstanding, psn);
    }

    static ConnectionStatus connection(
            int number, ConnectionPath path, QueuePairState state, long sent, long outstanding, int psn) {
        return new ConnectionStatus(
                number,
                0,
                QueuePairType.RC,
                state,
                path,
                Gid.of(InetAddress.ofLiteral("10.0.0." + number % 250)),
                number + 1,
                7471,
                40_000 + number,
                16,
                outstanding,
                32,
                4,
                false,
                state == QueuePairState.SQD,
                sent,
                sent,
                2 * sent,
                psn,
                psn,
                3,
                1,
                2,
                0,
                number * SECOND_NS,
                64);
    }

    Answer answer() {
        return new Answer(
                socket(),
                new ProcessStatus(
                        pid,
                        "org.example.Server",
                        0,
                        cpuNs,
                        nowNs,
                        0,
                        List.of("0.0.0.0:7471"),
                        List.of(new DeviceStatus(
                                "soft-10.0.0.1",
                                "active",
                                "",
                                List.of(new ShardStatus(0, Map.copyOf(counters))),
                                List.copyOf(connections)))),
                "");
    }

    Answer silence() {
        return new Answer(socket(), null, "it does not answer");
    }

    private StatusSocket socket() {
        return new StatusSocket(Path.of("/nowhere/" + pid), pid);
    }

    /// A snapshot of this process alone, the second after one second in which each connection sent nothing new.
    static Snapshot snapshot(ConnectionStatus... connections) {
        RateMeter meter = new RateMeter();
        MadeUpProcess process = new MadeUpProcess(4_999_999_999L);
        for (int look = 0; look < 2; look++) {
            process.after(1);
            List.of(connections).forEach(process::with);
            if (look == 0) {
                meter.update(List.of(process.answer()), List.of(), 0);
            }
        }
        return meter.update(List.of(process.answer()), List.of(), 0);
    }
}
