package io.verbena.soft.engine;

import java.lang.foreign.MemorySegment;

/// Where the packets of a connection leave: the device's wire, or memory shared with the peer. Packets are written in
/// place: [#claim] room in [#memory], write from the BTH on, [#send]. Owned by the engine.
public interface Outlet {
    /// Where packets are written.
    MemorySegment memory();

    /// Offset of room for a packet of headers, or -1 when the way takes no more for now.
    int claim();

    /// As the other form, with room for a payload too.
    default int claim(int payloadBytes) {
        return claim();
    }

    /// Whether the way took no more when last asked for room.
    boolean isRefused();

    /// Ends the packet that starts at `from`: `padCount` bytes of pad from `payloadEnd` on, what the way adds, and off.
    void send(int from, int payloadEnd, int padCount, Destination destination);

    /// A packet of headers only, with the ICRC that Linux's soft-RoCE wants of a FLUSH.
    void sendCountedTwice(int from, int end, Destination destination);
}
