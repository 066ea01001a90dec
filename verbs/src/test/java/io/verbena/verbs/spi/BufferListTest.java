package io.verbena.verbs.spi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.verbs.MemoryRegion;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BufferListTest {
    private final List<String> stored = new ArrayList<>();
    private final BufferList list = new BufferList(2) {
        @Override
        protected void store(int index, long address, long length, int lkey, MemoryRegion region) {
            stored.add("%d: %d bytes at %d key %d".formatted(index, length, address, lkey));
        }
    };

    @Test
    void shouldStoreWhatItKeeps() {
        list.add(4096, 10, 7);
        list.add(8192, 1L << 31, -1);
        assertEquals(List.of("0: 10 bytes at 4096 key 7", "1: 2147483648 bytes at 8192 key -1"), stored);
        assertEquals((1L << 31) + 10, list.totalBytes());
    }

    @Test
    void shouldCountButNotKeepMoreThanTheQueueTakes() {
        for (int i = 0; i < 5; i++) {
            list.add(i, 1, 0);
        }
        assertEquals(5, list.count());
        assertEquals(2, list.kept());
        assertEquals(2, stored.size());
        assertTrue(list.isMoreThan(8), "a request of a queue that takes fewer");
        list.clear();
        list.add(0, 1, 0);
        assertFalse(list.isMoreThan(1));
        assertTrue(list.isMoreThan(0));
    }

    @Test
    void shouldRefuseLengthsThatNoMessageHas() {
        assertThrows(IllegalArgumentException.class, () -> list.add(0, -1, 0));
        assertThrows(IllegalArgumentException.class, () -> list.add(0, (1L << 31) + 1, 0));
        assertThrows(NullPointerException.class, () -> list.add((MemorySegment) null));
        assertThrows(NullPointerException.class, () -> list.add(null, 0, 0));
        assertEquals(0, list.count());
    }

    @Test
    void shouldCopyTheBytesOfAllBuffers() {
        list.add(MemorySegment.ofArray(new byte[] {1, 2}));
        list.add(MemorySegment.ofArray(new byte[] {3}));
        byte[] target = new byte[5];
        assertTrue(list.isReadable());
        list.copyBytes(MemorySegment.ofArray(target), 1);
        assertArrayEquals(new byte[] {0, 1, 2, 3, 0}, target);
    }

    @Test
    void shouldNotReadRawAddresses() {
        list.add(4096, 0, 7);
        assertTrue(list.isReadable(), "there is nothing to read");
        list.add(4096, 1, 7);
        assertFalse(list.isReadable());
    }
}
