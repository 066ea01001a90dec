package io.verbena.soft.status;

import java.util.Map;

/// A shard of a device.
///
/// @param number its number at the address
/// @param counters its counters by name, without those that are 0
public record ShardStatus(int number, Map<String, Long> counters) {}
