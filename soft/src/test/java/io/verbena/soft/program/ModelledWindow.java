package io.verbena.soft.program;

import io.verbena.verbs.Keys;
import io.verbena.verbs.MemoryWindow;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.attr.MemoryWindowType;

/// A type 2 window onto the memory that a peer may access, and its state. Only one side changes it at a time: its owner
/// binds it, and then either the owner or the peer revokes it.
final class ModelledWindow {
    enum State {
        FREE,
        BINDING,
        BOUND,
        REVOKING
    }

    final MemoryWindow window;
    State state = State.FREE;
    int from;
    int length;
    /// Requests of the peer's that use it and have not ended.
    int users;

    ModelledWindow(ProtectionDomain pd) {
        window = pd.allocateMemoryWindow(MemoryWindowType.TYPE_2);
    }

    int nextKey() {
        return Keys.increment(window.rkey());
    }

    boolean covers(int at, int bytes) {
        return state == State.BOUND && at >= from && at + bytes <= from + length;
    }
}
