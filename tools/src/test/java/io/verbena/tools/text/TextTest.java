package io.verbena.tools.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.TypeConversionException;

class TextTest {
    @Test
    void shouldWriteJsonInTheOrderGiven() {
        Object value = Json.object(
                "b", 1.5, "a", List.of(1, 2.0, true), "quote", "\"\n", "nothing", Double.NaN, "empty", List.of());
        assertEquals("""
                {
                  "b": 1.5,
                  "a": [
                    1,
                    2,
                    true
                  ],
                  "quote": "\\"\\u000a",
                  "nothing": null,
                  "empty": []
                }""", Json.write(value));
    }

    @Test
    void shouldKeepSmallAndLargeNumbersExactEnough() {
        assertEquals("0.001234", Json.write(0.001234));
        assertEquals("123456789", Json.write(123_456_789.0));
        assertEquals("10", Json.write(10.0));
        assertEquals("8.125", Json.write(8.125));
    }

    @Test
    void shouldReadByteCountsWithUnits() {
        var converter = new ByteCount();
        assertEquals(4096, converter.convert("4096"));
        assertEquals(65536, converter.convert("64K"));
        assertEquals(1 << 20, converter.convert("1m"));
        assertEquals(2L << 30, converter.convert("2g"));
    }

    @Test
    void shouldRefuseWhatIsNoByteCount() {
        var converter = new ByteCount();
        for (String text : List.of("", "k", "1.5m", "-", "9999999999999999999", "9999999999g")) {
            assertThrows(TypeConversionException.class, () -> converter.convert(text), text);
        }
    }
}
