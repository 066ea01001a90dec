package io.verbena.soft.local;

import io.verbena.soft.os.BiasedLock;
import java.util.List;

/// A connection of this device over the local path, as [LocalDevice] knows it.
public interface LocalConnection {
    LanePair lanes();

    /// The peer has published something for the engine. By the engine's owner.
    void onNews();

    /// The peer's process has ended, or closed its device. By the engine's owner.
    void onPeerGone();

    /// Bytes copied out of the peer's memory so far.
    default long fetchedBytes() {
        return 0;
    }

    /// Messages that this end has sent so far. From any thread.
    long messages();

    /// The locks under which memory is copied.
    List<BiasedLock> copyLocks();
}
