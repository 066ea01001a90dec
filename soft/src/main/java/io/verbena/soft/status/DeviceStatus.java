package io.verbena.soft.status;

import java.util.List;

/// A device that a process has open.
///
/// @param name such as `soft-127.0.0.1`
/// @param state the state of its port
/// @param sharedMemory why connections of this host do not go through shared memory; empty when they can
public record DeviceStatus(
        String name, String state, String sharedMemory, List<ShardStatus> shards, List<ConnectionStatus> connections) {}
