package io.verbena.soft.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// A status comes out as it went in, and bytes that are cut or wrong do no harm.
class StatusFormatTest {
    private static final int BODY = StatusFormat.HEADER_BYTES;

    private static ProcessStatus decode(byte[] bytes) throws StatusFormatException {
        int length = StatusDecoder.bodyBytes(ByteBuffer.wrap(bytes));
        int there = Math.max(0, Math.min(length, bytes.length - BODY));
        return StatusDecoder.decode(
                ByteBuffer.wrap(bytes, Math.min(BODY, bytes.length), there).slice());
    }

    private static byte[] encode(ProcessStatus status) {
        ByteBuffer bytes = StatusEncoder.encode(status);
        return Arrays.copyOf(bytes.array(), bytes.limit());
    }

    @Test
    void shouldComeOutAsItWentIn() throws Exception {
        for (int connections : new int[] {0, 1, 1000}) {
            ProcessStatus status = StatusExamples.process(connections);
            assertEquals(status, decode(encode(status)));
        }
    }

    @Test
    void shouldGrowForTextsOfAnyLength() throws Exception {
        String text = "x".repeat(100_000);
        ProcessStatus status = new ProcessStatus(1, text, 0, 0, 0, 0, List.of(text, text, text, text, text), List.of());
        ProcessStatus read = decode(encode(status));
        assertEquals(StatusFormat.MOST_TEXT_BYTES, read.program().length());
        assertEquals(5, read.listening().size());
    }

    @Test
    void shouldRefuseEveryCut() {
        byte[] whole = encode(StatusExamples.process(2));
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThrows(StatusFormatException.class, () -> decode(cut), "cut after " + length);
        }
    }

    @Test
    void shouldRefuseBytesAfterTheEnd() {
        byte[] whole = encode(StatusExamples.process(1));
        byte[] longer = Arrays.copyOf(whole, whole.length + 1);
        ByteBuffer.wrap(longer).putInt(8, longer.length - BODY);
        assertThrows(StatusFormatException.class, () -> decode(longer));
    }

    @Test
    void shouldNameTheVersionOfAnother() {
        byte[] other = encode(StatusExamples.process(1));
        ByteBuffer.wrap(other).putShort(4, (short) 9);
        var e = assertThrows(StatusFormatException.class, () -> decode(other));
        assertTrue(e.getMessage().contains("version 9"), e.getMessage());
    }

    @Test
    void shouldRefuseLengthsThatCannotBe() {
        byte[] whole = encode(StatusExamples.process(1));
        for (int length : new int[] {-1, Integer.MIN_VALUE, StatusFormat.MOST_BYTES + 1, Integer.MAX_VALUE}) {
            ByteBuffer.wrap(whole).putInt(8, length);
            assertThrows(StatusFormatException.class, () -> decode(whole), "length " + length);
        }
    }

    /// A count must not make the reader allocate what the bytes cannot hold.
    @Test
    void shouldRefuseCountsThatTheBytesCannotHold() {
        byte[] whole = encode(new ProcessStatus(1, "", 0, 0, 0, 0, List.of(), List.of()));
        int countAt = whole.length - Integer.BYTES;
        for (int count : new int[] {1, -1, Integer.MAX_VALUE}) {
            ByteBuffer.wrap(whole).putInt(countAt, count);
            assertThrows(StatusFormatException.class, () -> decode(whole), "count " + count);
        }
    }

    /// Whatever arrives, it is read or refused.
    @Test
    void shouldSurviveRandomDamage() {
        long seed = Long.getLong("verbena.test.seed", 20);
        Random random = new Random(seed);
        byte[] whole = encode(StatusExamples.process(3));
        int refused = 0;
        for (int round = 0; round < 20_000; round++) {
            byte[] damaged = whole.clone();
            for (int hits = 1 + random.nextInt(4); hits > 0; hits--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            try {
                decode(damaged);
            } catch (StatusFormatException e) {
                refused++;
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed + ", round " + round, e);
            }
        }
        assertTrue(refused > 0, "seed " + seed);
    }
}
