package io.verbena.tools.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.StringReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Keys as terminals send them.
class KeyReaderTest {
    private static KeyReader reader(String bytes) {
        // The end of a StringReader is "ready", which an end of a terminal's input is not; no test depends on it.
        return new KeyReader(new StringReader(bytes));
    }

    @ParameterizedTest
    @CsvSource({
        "[A, up",
        "OA, up",
        "[B, down",
        "[5~, pageup",
        "[6~, pagedown",
        "[H, home",
        "[4~, end",
        "[Z, ''",
        "[15~, ''",
        "x, ''"
    })
    void shouldKnowSequences(String sequence, String key) throws Exception {
        KeyReader reader = reader("\u001b" + sequence + "q");
        assertEquals(new KeyReader.Key(key), reader.read());
        assertEquals(new KeyReader.Key("q"), reader.read(), "nothing of the sequence is left");
        assertNull(reader.read());
    }

    @Test
    void shouldReadCharactersAndControlKeys() throws Exception {
        KeyReader reader = reader("a/é\r\n\t\u007f\b\u0001");
        for (String key : new String[] {"a", "/", "é", "enter", "enter", "tab", "backspace", "backspace", ""}) {
            assertEquals(new KeyReader.Key(key), reader.read());
        }
    }

    @Test
    void shouldReadTheSizeThatTheTerminalTells() throws Exception {
        assertEquals(new KeyReader.Size(24, 80), reader("\u001b[24;80R").read());
    }

    @Test
    void shouldEndASequenceThatNeverEnds() throws Exception {
        KeyReader reader = reader("\u001b[" + "1;".repeat(1000));
        assertEquals(new KeyReader.Key(""), reader.read());
    }
}
