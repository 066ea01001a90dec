package io.verbena.tools.perf;

import io.verbena.tools.program.Output;
import java.time.Duration;

/// What a side decides for itself.
///
/// - `patience`: how long the peer may keep silent; zero: for ever
/// - `warmUp`: how long to warm up where the parameters ask for it
/// - `peak`: whether to look for the peak of streams
/// - `gigabits`: whether C peers are told rates in Gbit/s
/// - `progress`: where a person may watch how far it is, or null
/// - `warmUpOnly`: whether to end after the warm-up
record SessionSettings(
        Duration patience, Duration warmUp, boolean peak, boolean gigabits, Output progress, boolean warmUpOnly) {
    /// For a warm-up that nobody is to see.
    SessionSettings forWarmUp() {
        Duration limit = patience.isZero() ? Duration.ofMinutes(1) : patience;
        return new SessionSettings(limit, warmUp, peak, false, null, true);
    }
}
