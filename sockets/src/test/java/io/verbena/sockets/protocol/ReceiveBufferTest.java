package io.verbena.sockets.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.verbena.verbs.Errno;
import org.junit.jupiter.api.Test;

/// How the buffer of a program that reads slowly grows.
class ReceiveBufferTest {
    private static final int FIRST = 1024;
    private static final int LONGEST = 64 * 1024;

    private final ScarceMemory memory = new ScarceMemory();
    private final ReceiveBuffer buffer = new ReceiveBuffer(memory, LONGEST, new HeapMemory(2 * FIRST), 0, FIRST);

    /// The peer fills both chunks before the program reads the first one. Returns the length of the one after these.
    private int fallBehind() {
        announceAll();
        while (buffer.readable() < 2 * FIRST) {
            buffer.onArrived(FIRST);
        }
        buffer.consume(buffer.chunk().length);
        return buffer.announce().length;
    }

    private void announceAll() {
        while (buffer.hasUnannounced()) {
            buffer.announce();
        }
    }

    @Test
    void shouldBecomeLongerWhenTheProgramIsBehind() {
        assertEquals(4 * FIRST, fallBehind());
    }

    @Test
    void shouldAskOnceWhenThereIsNoMemoryForLongerChunks() {
        memory.hasNone = true;
        for (int i = 0; i < 5; i++) {
            assertEquals(FIRST, fallBehind());
        }
        assertEquals(1, memory.asked);
        assertEquals(Errno.ENOMEM, memory.told.errno());
    }

    @Test
    void shouldNotTakeADefectForMissingMemory() {
        MemorySource broken = bytes -> {
            throw new IllegalStateException("a defect");
        };
        assertThrows(IllegalStateException.class, () -> broken.allocateMore(LONGEST));
    }
}
