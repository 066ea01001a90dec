package io.verbena.endpoint;

import java.lang.foreign.MemorySegment;

/// Memory that peers may use under a name. Made by `export` of [EndpointServer] and [Connection], and by
/// [EndpointServer#allocate].
public final class Export implements AutoCloseable {
    private final Exports exports;
    private final String name;
    private final MemorySegment memory;
    private final long number;

    Export(Exports exports, String name, MemorySegment memory, long number) {
        this.exports = exports;
        this.name = name;
        this.memory = memory;
        this.number = number;
    }

    /// The name that peers ask for.
    public String name() {
        return name;
    }

    /// The memory. That of [EndpointServer#allocate] ends when the export is closed.
    public MemorySegment memory() {
        return memory;
    }

    /// Revokes it: tells all peers that have found it, and waits until none of them accesses it any more, a few seconds
    /// at most. From then on peers that use it get EACCES; one that does not follow the protocol loses its connection.
    /// Closing twice is fine.
    ///
    /// @throws io.verbena.verbs.RdmaException `EINTR` when the thread is interrupted; the memory is closed to peers all
    ///     the same
    @Override
    public void close() {
        exports.revoke(number);
    }

    @Override
    public String toString() {
        return "export " + name;
    }
}
