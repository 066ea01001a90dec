package io.verbena.sockets.protocol;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.BitSet;

/// Memory that one side opens to plain RDMA WRITEs of the other, each at an offset: the maps of this side that the peer
/// is to be told of, and the table with those of the peer. Counterpart of `riomap` and `riowrite`.
public final class Maps {
    private final RegisteredMemory table;
    private final long offset;
    private final int size;

    /// The places of the table that the peer has written.
    private final BitSet written = new BitSet();

    private record Unsent(int index, MapEntry entry) {}

    private final ArrayDeque<Unsent> unsent = new ArrayDeque<>(0);

    Maps(RegisteredMemory table, long offset, int size) {
        this.table = table;
        this.offset = offset;
        this.size = size;
    }

    /// Adds a map of this side.
    public void add(int index, long at, long address, int key, int length) {
        unsent.add(new Unsent(index, new MapEntry(at, address, key, length)));
    }

    boolean hasUnsent() {
        return !unsent.isEmpty();
    }

    int encodeNext(MemorySegment to, long at, ByteOrder order) {
        Unsent next = unsent.remove();
        next.entry.encode(to, at, order);
        return next.index;
    }

    void onWritten(int index, long bytes) {
        if (index >= size || bytes != MapEntry.BYTES) {
            throw new ProtocolException(
                    "the peer wrote map %d in %d bytes; there are %d".formatted(index, bytes, size));
        }
        written.set(index);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("%d maps to be sent".formatted(unsent.size()));
        written.stream().forEach(i -> text.append("; map %d of the peer: %s".formatted(i, entry(i))));
        return text.toString();
    }

    private MapEntry entry(int index) {
        return MapEntry.decode(table.memory(), offset + (long) index * MapEntry.BYTES, ByteOrder.nativeOrder());
    }

    /// Where a byte of the peer's maps is.
    public record Target(long address, int key, int length) {}

    /// The memory of the peer behind an offset; null when no map covers it.
    public Target find(long position) {
        for (int i = written.nextSetBit(0); i >= 0; i = written.nextSetBit(i + 1)) {
            MapEntry entry = entry(i);
            if (entry.covers(position)) {
                long into = position - entry.offset();
                return new Target(entry.address() + into, entry.key(), (int) (entry.length() - into));
            }
        }
        return null;
    }
}
