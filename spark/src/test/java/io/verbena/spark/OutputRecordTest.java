package io.verbena.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OutputRecordTest {
    private static final long[] LENGTHS = {0, 1, 127, 128, 16_384, Integer.MAX_VALUE, 1L << 40, 0};

    private static OutputRecord sample() {
        return new OutputRecord(1L << 35, 3, 640, 77, 1L << 33, OutputRecord.offsets(LENGTHS));
    }

    @Test
    void shouldDecodeWhatWasEncoded() {
        ByteBuffer two = ByteBuffer.allocate(1000).put(sample().encode());
        int length = two.position();
        assertEquals(0, length % 8);
        two.put(new OutputRecord(2, OutputRecord.FILE, 0, 0, 0, new long[] {0, 5}).encode());
        two.rewind();
        OutputRecord first = OutputRecord.decode(two);
        assertEquals(length, two.position());
        assertEquals(1L << 35, first.map());
        assertEquals(3, first.slab());
        assertEquals(640, first.start());
        assertEquals(77, first.use());
        assertEquals(1L << 33, first.base());
        assertArrayEquals(sample().offsets(), first.offsets());
        OutputRecord second = OutputRecord.decode(two);
        assertEquals(2, second.map());
        assertEquals(OutputRecord.FILE, second.slab());
        assertNull(OutputRecord.decode(two)); // zeros
    }

    @Test
    void shouldNotTakeARecordOfWhichABitIsWrong() {
        byte[] bytes = new byte[sample().encode().remaining()];
        sample().encode().get(bytes);
        for (int bit = 0; bit < 8 * bytes.length; bit++) {
            byte[] wrong = bytes.clone();
            wrong[bit / 8] ^= (byte) (1 << bit % 8);
            ByteBuffer buffer = ByteBuffer.wrap(wrong);
            assertNull(OutputRecord.decode(buffer), "bit " + bit);
            assertEquals(0, buffer.position());
        }
    }

    @Test
    void shouldNotTakeARecordThatIsHalfWritten() {
        ByteBuffer whole = sample().encode();
        for (int written = 0; written < whole.remaining(); written++) {
            byte[] half = new byte[whole.remaining()];
            whole.get(0, half, 0, written);
            boolean isWhole = whole.mismatch(ByteBuffer.wrap(half)) < 0; // its last bytes are zeros
            OutputRecord decoded = OutputRecord.decode(ByteBuffer.wrap(half));
            assertEquals(isWhole, decoded != null, "after " + written + " bytes");
        }
    }

    @Test
    void shouldNotTakeRandomBytes() {
        Random random = new Random(11);
        for (int i = 0; i < 10_000; i++) {
            byte[] bytes = new byte[random.nextInt(100)];
            random.nextBytes(bytes);
            assertNull(OutputRecord.decode(ByteBuffer.wrap(bytes)));
        }
        assertNotNull(OutputRecord.decode(sample().encode()));
    }
}
