package io.verbena.soft.event;

import io.verbena.verbs.attr.Gid;

/// A queue pair as events name it.
public interface QueuePairFacts {
    int number();

    /// The address of its device.
    Gid deviceGid();

    /// The address of its peer; all zeros when it has none.
    Gid peerGid();

    /// The queue pair of its peer; 0 when it has none.
    int peerNumber();

    /// Whether its requests go through shared memory.
    boolean isLocal();
}
