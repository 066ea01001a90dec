package io.verbena.tools.top;

import java.util.Map;

/// A shard of a software device, or a port of an adapter, with what it counted and the rates since the snapshot before.
///
/// @param pid the process; 0 for an adapter, which all processes share
/// @param shard its number; -1 for an adapter
/// @param rates by name of the counter, per second; empty in the first snapshot
record ShardRow(
        long pid,
        String program,
        String device,
        String state,
        int shard,
        long connections,
        Map<String, Long> counters,
        Map<String, Double> rates) {
    static final int NO_SHARD = -1;

    /// The counters that have columns of their own, by their names.
    static final String PACKETS_OUT = "packets sent";
    static final String PACKETS_IN = "packets received";
    static final String BYTES_OUT = "bytes sent";
    static final String BYTES_IN = "bytes received";
    static final String SHARED = "messages over shared memory";
    static final String RETRANSMITTED = "packets retransmitted";

    /// NaN in the first snapshot.
    double rate(String counter) {
        return rates.isEmpty() ? Double.NaN : rates.getOrDefault(counter, 0.0);
    }

    long count(String counter) {
        return counters.getOrDefault(counter, 0L);
    }

    String name() {
        return shard == NO_SHARD ? "" : Integer.toString(shard);
    }
}
