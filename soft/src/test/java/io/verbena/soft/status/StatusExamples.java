package io.verbena.soft.status;

import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.attr.QueuePairType;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// Made-up statuses.
public final class StatusExamples {
    private StatusExamples() {}

    /// Each number is another one, so that none can be taken for another.
    static ConnectionStatus connection(int n) {
        return new ConnectionStatus(
                n,
                n + 1,
                QueuePairType.RC,
                QueuePairState.RTS,
                ConnectionPath.UDP,
                new Gid(n + 2, n + 3),
                n + 4,
                n + 5,
                n + 6,
                n + 7,
                n + 8,
                n + 9,
                n + 10,
                n % 2 == 0,
                n % 2 == 1,
                n + 11,
                n + 12,
                n + 13,
                n + 14,
                n + 15,
                n + 16,
                n + 17,
                n + 18,
                n + 19,
                n + 20,
                n + 21);
    }

    /// A process with two devices, the first of them with so many connections.
    public static ProcessStatus process(int connections) {
        return new ProcessStatus(
                4711,
                "org.example.Größe",
                1_700_000_000_000L,
                12,
                -34,
                0,
                List.of("0.0.0.0:7471", "[::1]:18515"),
                List.of(
                        new DeviceStatus(
                                "soft-127.0.0.1",
                                "active",
                                "",
                                List.of(
                                        new ShardStatus(0, Map.of("packets sent", 17L, "bytes sent", -1L)),
                                        new ShardStatus(63, Map.of())),
                                IntStream.range(0, connections)
                                        .mapToObj(n -> connection(100 * n))
                                        .toList()),
                        new DeviceStatus("soft-::1", "down", "no native access", List.of(), List.of())));
    }
}
