package io.verbena.tools.top;

import io.verbena.soft.status.ConnectionStatus;
import io.verbena.soft.status.DeviceStatus;
import io.verbena.soft.status.ProcessStatus;
import io.verbena.soft.status.ShardStatus;
import io.verbena.soft.status.StatusSocket;
import io.verbena.tools.text.ProgramName;
import io.verbena.tools.top.ConnectionHistory.Seen;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Compares what processes answer with what they answered before. Differences of time are those of the process's own
/// clock, so a process that answers late has the right rates all the same.
final class RateMeter {
    private static final int PSN_MASK = 0xFF_FFFF;

    /// What is known of one process.
    private static final class Past {
        private final String program;
        private ProcessStatus status;
        private Map<ShardKey, ShardStatus> shards = Map.of();
        private Map<String, ConnectionHistory> connections = Map.of();

        private Past(String program) {
            this.program = program;
        }
    }

    private record ShardKey(String device, int shard) {}

    private static final ConnectionHistory NONE = new ConnectionHistory(0);

    private Map<StatusSocket, Past> pasts = new HashMap<>();

    /// @param adapters the ports of adapters, which the host knows
    Snapshot update(List<Answer> answers, List<ShardRow> adapters, long timeMs) {
        List<ProcessRow> processes = new ArrayList<>();
        List<ShardRow> shards = new ArrayList<>(adapters);
        List<ConnectionRow> connections = new ArrayList<>();
        Map<StatusSocket, Past> present = new HashMap<>();
        // Rows that are equal must not jump from one frame to the next.
        List<Answer> inOrder = new ArrayList<>(answers);
        inOrder.sort(Comparator.comparingLong((Answer answer) -> answer.socket().pid())
                .thenComparing(answer -> answer.socket().path()));
        for (Answer answer : inOrder) {
            Past past = pasts.getOrDefault(answer.socket(), new Past(program(answer)));
            present.put(answer.socket(), past);
            if (answer.status() == null) {
                processes.add(silent(answer, past));
            } else {
                add(answer.status(), past, processes, shards, connections);
            }
        }
        pasts = present;
        return new Snapshot(timeMs, processes, shards, connections);
    }

    private static String program(Answer answer) {
        String known = ProgramName.of(answer.socket().pid());
        if (!known.isEmpty() || answer.status() == null) {
            return known;
        }
        String main = answer.status().program();
        String name = main.endsWith(".jar") ? main : main.substring(main.lastIndexOf('.') + 1);
        return name.substring(name.lastIndexOf('/') + 1);
    }

    private static ProcessRow silent(Answer answer, Past past) {
        return new ProcessRow(
                answer.socket().pid(),
                past.program,
                0,
                Double.NaN,
                List.of(),
                0,
                Double.NaN,
                Double.NaN,
                List.of(),
                0,
                answer.problem());
    }

    private static void add(
            ProcessStatus status,
            Past past,
            List<ProcessRow> processes,
            List<ShardRow> shards,
            List<ConnectionRow> connections) {
        long passedNs = past.status == null ? 0 : status.nowNs() - past.status.nowNs();
        Map<ShardKey, ShardStatus> shardsSeen = new HashMap<>();
        Map<String, ConnectionHistory> connectionsSeen = new HashMap<>();
        int first = connections.size();
        for (DeviceStatus device : status.devices()) {
            Map<Integer, Long> byShard = new HashMap<>();
            ConnectionHistory history = past.connections.getOrDefault(device.name(), NONE);
            ConnectionHistory seen = new ConnectionHistory(device.connections().size());
            connectionsSeen.put(device.name(), seen);
            int place = 0;
            for (ConnectionStatus connection : device.connections()) {
                byShard.merge(connection.shard(), 1L, Long::sum);
                Seen before = history.find(place++, connection.number());
                Seen now = seen.add(before, connection, status.nowNs());
                connections.add(row(status, past.program, device, now, before, passedNs));
            }
            for (ShardStatus shard : device.shards()) {
                ShardKey key = new ShardKey(device.name(), shard.number());
                shardsSeen.put(key, shard);
                shards.add(new ShardRow(
                        status.pid(),
                        past.program,
                        device.name(),
                        device.state(),
                        shard.number(),
                        byShard.getOrDefault(shard.number(), 0L),
                        shard.counters(),
                        Rates.of(past.shards.get(key), shard, passedNs)));
            }
        }
        processes.add(process(status, past, passedNs, connections.subList(first, connections.size())));
        past.status = status;
        past.shards = shardsSeen;
        past.connections = connectionsSeen;
    }

    private static ProcessRow process(ProcessStatus status, Past past, long passedNs, List<ConnectionRow> connections) {
        double sent = 0;
        double received = 0;
        for (ConnectionRow row : connections) {
            sent += Double.isNaN(row.sentRate()) ? 0 : row.sentRate();
            received += Double.isNaN(row.receivedRate()) ? 0 : row.receivedRate();
        }
        boolean known = passedNs > 0;
        return new ProcessRow(
                status.pid(),
                past.program,
                status.startMs(),
                known ? 100.0 * (status.cpuNs() - past.status.cpuNs()) / passedNs : Double.NaN,
                status.devices().stream().map(DeviceStatus::name).toList(),
                connections.size(),
                known ? sent : Double.NaN,
                known ? received : Double.NaN,
                status.listening(),
                status.leftOut(),
                "");
    }

    private static ConnectionRow row(
            ProcessStatus process, String program, DeviceStatus device, Seen now, Seen before, long passedNs) {
        ConnectionStatus status = now.status();
        // Messages are counted otherwise on another path.
        ConnectionStatus old = before == null || before.status().path() != status.path() ? null : before.status();
        return new ConnectionRow(
                process.pid(),
                program,
                device.name(),
                status,
                old == null ? Double.NaN : Rates.perSecond(status.messagesSent() - old.messagesSent(), passedNs),
                old == null || status.messagesReceived() < 0
                        ? Double.NaN
                        : Rates.perSecond(status.messagesReceived() - old.messagesReceived(), passedNs),
                old == null ? Double.NaN : packets(status.sendPsn(), old.sendPsn(), passedNs),
                old == null ? Double.NaN : packets(status.receivePsn(), old.receivePsn(), passedNs),
                process.nowNs() - now.sinceNs(),
                now.slowestNs());
    }

    /// Sequence numbers have 24 bits, which a connection uses up in 16 s at a million packets per second.
    private static double packets(int now, int before, long passedNs) {
        boolean known = now != ConnectionStatus.NO_PSN && before != ConnectionStatus.NO_PSN;
        return known ? Rates.perSecond(now - before & PSN_MASK, passedNs) : Double.NaN;
    }
}
