package io.verbena.sockets.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/// When a send buffer that was full has room for writers again.
class SendBufferTest {
    private static final int SHORT = 8192;
    private static final int LONG_CHUNKS = 4;

    private final ScarceMemory memory = new ScarceMemory();
    private final SendBuffer buffer =
            new SendBuffer(memory, LONG_CHUNKS * SendBuffer.LONG_CHUNK, new HeapMemory(2 * SHORT), 0, SHORT);

    /// Writes and posts until there is no room.
    private void fill() {
        for (SendChunk chunk = buffer.chunk(SendBuffer.LONG_CHUNK);
                chunk != null;
                chunk = buffer.chunk(SendBuffer.LONG_CHUNK)) {
            int bytes = chunk.length - chunk.filled;
            buffer.fill(chunk, bytes);
            buffer.post(chunk, bytes);
        }
    }

    @Test
    void shouldHaveRoomAgainWhenHalfOfTheBufferIsFree() {
        fill();
        assertFalse(buffer.hasRoom());
        buffer.complete(SendBuffer.LONG_CHUNK);
        assertFalse(buffer.hasRoom(), "a quarter is free");
        buffer.complete(2 * SendBuffer.LONG_CHUNK);
        assertTrue(buffer.hasRoom());
    }

    @Test
    void shouldTakeBytesOfAWriterThatTriesAgainWhenLessIsFree() {
        fill();
        buffer.complete(SendBuffer.LONG_CHUNK);
        SendChunk chunk = buffer.chunk(100);
        assertNotNull(chunk);
        buffer.fill(chunk, 100);
        assertTrue(buffer.hasRoom(), "the rest of that chunk");
    }

    @Test
    void shouldHaveRoomAgainWhenAllHasArrived() {
        fill();
        buffer.complete(buffer.written());
        assertTrue(buffer.hasRoom());
    }

    @Test
    void shouldAskForMemoryAgainWhenAllHasArrived() {
        memory.hasNone = true;
        fill();
        assertEquals(2 * SHORT, buffer.written());
        assertFalse(buffer.hasRoom());
        buffer.complete(SHORT);
        fill();
        assertEquals(1, memory.asked, "not for each chunk");
        memory.hasNone = false;
        buffer.complete(buffer.written());
        assertEquals(SendBuffer.LONG_CHUNK, buffer.chunk(SendBuffer.LONG_CHUNK).length);
    }
}
