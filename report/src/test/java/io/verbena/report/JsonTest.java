package io.verbena.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
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
    void shouldReadEveryKindOfValue() {
        Object read = Json.read(
                " { \"a\" : [ 1 , -0.5e+2, 1E3, 0 ], \"b\": {}, \"c\":[],\"d\":true,\"e\":false,\"f\":null,\r\n\t\"\": \"\" } ");
        Map<String, Object> expected = Json.object(
                "a",
                List.of(1.0, -50.0, 1000.0, 0.0),
                "b",
                Map.of(),
                "c",
                List.of(),
                "d",
                true,
                "e",
                false,
                "f",
                null,
                "",
                "");
        assertEquals(expected, read);
        assertEquals(List.copyOf(expected.keySet()), List.copyOf(((Map<?, ?>) read).keySet()));
    }

    @Test
    void shouldReadEveryEscape() {
        assertEquals("\"\\/\b\f\n\r\tAé€😀", Json.read("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041é\\u20AC\\ud83d\\ude00\""));
    }

    @Test
    void shouldReadBackWhatIsWritten() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 300; i++) {
            Object value = randomValue(random, 4);
            assertEquals(value, Json.read(Json.write(value)), "seed " + seed);
        }
    }

    private static Object randomValue(Random random, int depth) {
        return switch (random.nextInt(depth > 0 ? 6 : 4)) {
            case 0 -> (double) random.nextInt(-100_000, 100_000);
            case 1 -> random.nextInt(-1000, 1000) / 16.0;
            case 2 -> random.nextBoolean();
            case 3 -> randomText(random);
            case 4 -> {
                List<Object> list = new ArrayList<>();
                random.ints(random.nextInt(4)).forEach(any -> list.add(randomValue(random, depth - 1)));
                yield list;
            }
            default -> {
                Map<String, Object> map = Json.object();
                random.ints(random.nextInt(4))
                        .forEach(any -> map.put(randomText(random), randomValue(random, depth - 1)));
                yield map;
            }
        };
    }

    private static String randomText(Random random) {
        StringBuilder text = new StringBuilder();
        random.ints(random.nextInt(6), 0, 0x300).forEach(c -> text.append((char) c));
        return text.toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "}",
                "[",
                "]",
                "[1",
                "[1,",
                "[1,]",
                "[,]",
                "[1 2]",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1,}",
                "{a:1}",
                "{1:2}",
                "{\"a\":1 \"b\":2}",
                "{\"a\":1,\"a\":2}",
                "01",
                "+1",
                "-",
                ".5",
                "1.",
                "1.e3",
                "1e",
                "1e+",
                "0x10",
                "NaN",
                "Infinity",
                "-Infinity",
                "1e999",
                "tru",
                "truee",
                "nul",
                "True",
                "'a'",
                "\"a",
                "\"\\x\"",
                "\"\\u12\"",
                "\"\\u12g4\"",
                "\"\n\"",
                "\"\u0000\"",
                "1 2",
                "{} {}",
                "[] x",
                "// no\n1",
                "\ufeff1",
                "1\u00a0",
                "\"\\",
                "\"\\u",
                "١",
                "\"\\u１234\""
            })
    void shouldRefuseWhatIsNoJson(String text) {
        var error = assertThrows(IllegalArgumentException.class, () -> Json.read(text), text);
        assertTrue(error.getMessage().matches("line \\d+, column \\d+: .+"), error.getMessage());
        assertEquals(1, error.getMessage().lines().count());
    }

    @Test
    void shouldRefuseDeepNestingInsteadOfOverflowing() {
        assertThrows(IllegalArgumentException.class, () -> Json.read("[".repeat(1_000_000)));
        assertThrows(IllegalArgumentException.class, () -> Json.read("{\"a\":".repeat(1_000_000)));
        assertEquals(List.of(), Json.read("[]"));
    }

    @Test
    void shouldTellWhere() {
        var error = assertThrows(IllegalArgumentException.class, () -> Json.read("{\n  \"a\": 1,\n  b\n}"));
        assertEquals("line 3, column 3: '\"' is expected, not 'b'", error.getMessage());
    }

    /// Cut, doubled, swapped and replaced characters: the result is a value or a refusal.
    @Test
    void shouldWithstandDamagedDocuments() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        String whole =
                Json.write(Json.object("a", List.of(1.5, -2e-9, 3), "b", Map.of("c", "x\u0001\"\\y"), "d", true));
        for (int i = 0; i < 5_000; i++) {
            char[] damaged = Arrays.copyOf(whole.toCharArray(), random.nextInt(1, whole.length() + 1));
            for (int n = random.nextInt(4); n > 0; n--) {
                damaged[random.nextInt(damaged.length)] = "{}[]\",:\\u0-.eE tfn\u0000".charAt(random.nextInt(19));
            }
            try {
                Json.read(new String(damaged));
            } catch (IllegalArgumentException refused) {
                assertTrue(refused.getMessage().startsWith("line "), () -> "seed " + seed + ": " + refused);
            }
        }
    }
}
