package io.verbena.tools.perf;

import java.time.Duration;

/// What a side decides for itself.
///
/// - `patience`: how long the peer may keep silent; zero: for ever
/// - `warmUp`: how long to warm up where the parameters ask for it
/// - `peak`: whether to look for the peak of streams
/// - `gigabits`: whether C peers are told rates in Gbit/s
record SessionSettings(Duration patience, Duration warmUp, boolean peak, boolean gigabits) {}
