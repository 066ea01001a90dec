package io.verbena.tools.copy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.verbena.verbs.RemoteBuffer;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class BufferAttributesTest {
    private static final RemoteBuffer BUFFER = new RemoteBuffer(0x0000_7F12_3456_789AL, 0xFEDC_BA98L, 0x8765_4321);
    private static final String BYTES = "9a7856341" + "27f0000" + "98badcfe" + "21436587";

    @Test
    void shouldLieInMemoryAsThePackedStructureOfTheCProgram() {
        byte[] bytes = new byte[BufferAttributes.BYTES];
        BufferAttributes.write(MemorySegment.ofArray(bytes), BUFFER);
        assertEquals(BYTES, HexFormat.of().formatHex(bytes));
    }

    @Test
    void shouldReadTheLengthWithoutSign() {
        assertEquals(
                BUFFER,
                BufferAttributes.read(MemorySegment.ofArray(HexFormat.of().parseHex(BYTES))));
    }
}
