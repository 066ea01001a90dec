package io.verbena.tools.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.TypeConversionException;

class TextTest {
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
