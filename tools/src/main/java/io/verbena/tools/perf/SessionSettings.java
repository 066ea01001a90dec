package io.verbena.tools.perf;

import io.verbena.tools.program.Output;
import io.verbena.tools.program.PeerTimeout;
import java.time.Duration;

/// The settings of one side, which the peer does not need to know.
///
/// - `patience`: how long the peer may keep silent; zero: for ever
/// - `warmUp`: how long to warm up where the parameters ask for it
/// - `peak`: whether to find the peak of streams
/// - `gigabits`: whether rates are sent to a C peer in Gbit/s
/// - `progress`: where the progress line goes, or null
/// - `warmUpOnly`: whether to end after the warm-up
record SessionSettings(
        Duration patience, Duration warmUp, boolean peak, boolean gigabits, Output progress, boolean warmUpOnly) {
    /// As `patience`, for calls that cannot wait for ever.
    Duration step() {
        return PeerTimeout.step(patience);
    }

    /// Settings for a warm-up, which shows nothing.
    SessionSettings forWarmUp() {
        Duration limit = patience.isZero() ? Duration.ofMinutes(1) : patience;
        return new SessionSettings(limit, warmUp, peak, false, null, true);
    }
}
