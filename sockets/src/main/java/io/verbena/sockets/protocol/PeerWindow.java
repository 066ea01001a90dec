package io.verbena.sockets.protocol;

import java.nio.ByteOrder;

/// Where this side may write next: the entries of its own target list, which the peer writes.
final class PeerWindow {
    private final RegisteredMemory list;
    private final long offset;
    private final int entries;
    private int slot;
    private long address;
    private int key;
    private int left;
    private int announced;

    /// @param offset where the list begins
    PeerWindow(RegisteredMemory list, long offset, int entries) {
        this.list = list;
        this.offset = offset;
        this.entries = entries;
    }

    /// The first entry comes with the private data.
    void open(ConnectionData peer) {
        address = peer.bufferAddress();
        key = peer.bufferKey();
        left = peer.bufferLength();
    }

    /// The peer has written the next entry.
    void onAnnounced() {
        if (++announced > entries) {
            throw new ProtocolException("the peer announced a buffer before the one in its place was full");
        }
    }

    /// How many bytes can be written at [#address].
    int left() {
        while (left == 0 && announced > 0) {
            announced--;
            slot = (slot + 1) % entries;
            TargetEntry entry = TargetEntry.decode(
                    list.memory(), offset + (long) slot * TargetEntry.BYTES, ByteOrder.nativeOrder());
            address = entry.address();
            key = entry.key();
            left = entry.length();
        }
        return left;
    }

    long address() {
        return address;
    }

    int key() {
        return key;
    }

    /// To be called before the bytes are posted.
    void advance(int bytes) {
        address += bytes;
        left -= bytes;
    }

    @Override
    public String toString() {
        return "room for %d bytes at the peer, %d more buffers announced by it".formatted(left, announced);
    }
}
