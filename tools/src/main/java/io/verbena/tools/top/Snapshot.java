package io.verbena.tools.top;

import java.util.List;

/// All processes at one moment.
///
/// @param timeMs the moment, in milliseconds since 1970
record Snapshot(long timeMs, List<ProcessRow> processes, List<ShardRow> shards, List<ConnectionRow> connections) {
    /// The devices that are open, each counted once for each process that has it open.
    long deviceCount() {
        return shards.stream()
                .map(shard -> shard.pid() + " " + shard.device())
                .distinct()
                .count();
    }
}
