package io.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class RemoteBufferTest {
    private final RemoteBuffer buffer = new RemoteBuffer(0x7f00_1234_5678_9abcL, 4096, 0xcafe_0102);

    @Test
    void shouldEncodeInNetworkOrder() {
        assertEquals("7f00123456789abc0000000000001000cafe0102", HexFormat.of().formatHex(buffer.encode()));
    }

    @Test
    void shouldDecodeWhatWasEncoded() {
        assertEquals(buffer, RemoteBuffer.decode(buffer.encode()));
    }

    @Test
    void shouldLeaveAloneWhatFollows() {
        assertEquals(buffer, RemoteBuffer.decode(Arrays.copyOf(buffer.encode(), 56)));
    }

    @Test
    void shouldEncodeAnywhereInMemory() {
        MemorySegment memory = MemorySegment.ofArray(new byte[24]);
        buffer.encode(memory, 3);
        assertEquals(buffer, RemoteBuffer.decode(memory, 3));
        assertArrayEquals(
                buffer.encode(),
                memory.asSlice(3, RemoteBuffer.BYTES).toArray(java.lang.foreign.ValueLayout.JAVA_BYTE));
    }

    @Test
    void shouldRefuseTooFewBytes() {
        var e = assertThrows(RdmaException.class, () -> RemoteBuffer.decode(new byte[19]));
        assertEquals(Errno.EINVAL, e.errno());
        assertThrows(RdmaException.class, () -> RemoteBuffer.decode(MemorySegment.ofArray(new byte[24]), 5));
        assertThrows(RdmaException.class, () -> RemoteBuffer.decode(MemorySegment.ofArray(new byte[24]), -1));
    }

    @Test
    void shouldRefuseBytesThatDescribeNoBuffer() {
        byte[] bytes = buffer.encode();
        bytes[8] = (byte) 0x80;
        assertThrows(RdmaException.class, () -> RemoteBuffer.decode(bytes));
    }
}
