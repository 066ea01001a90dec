package io.verbena.rdmacore.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/// The sizes and offsets that C compilers gave, and the comparison with a layout class: every constant of the class is
/// `SIZE` or named like a field of the struct, with `_` for `.`.
public final class AbiFacts {
    private static final Map<String, Struct> STRUCTS = read();

    record Offset(int amd64, int aarch64) {}

    record Struct(Offset size, int sizeOf65, Map<String, Offset> fields) {}

    private AbiFacts() {}

    private static Map<String, Struct> read() {
        Map<String, Struct> structs = new HashMap<>();
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(AbiFacts.class.getResourceAsStream("/abi/structs.txt")),
                StandardCharsets.UTF_8))) {
            Struct current = null;
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                String[] words = line.strip().split(" ");
                if (line.startsWith("struct ")) {
                    Offset size = new Offset(Integer.parseInt(words[2]), Integer.parseInt(words[3]));
                    current = new Struct(size, Integer.parseInt(words[4]), new HashMap<>());
                    structs.put(words[1], current);
                } else if (!line.startsWith("#")) {
                    Offset offset = new Offset(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
                    Objects.requireNonNull(current).fields.put(constant(words[0]), offset);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return structs;
    }

    private static String constant(String field) {
        String name = field.replace('.', '_').toUpperCase(Locale.ROOT);
        return name.startsWith("_") ? name.substring(1) : name;
    }

    static Struct struct(String name) {
        return Objects.requireNonNull(STRUCTS.get(name), name);
    }

    /// Compares the constants of a layout class with the facts, for the architecture of this JVM.
    public static void check(Class<?> layout, String structName) {
        Struct struct = struct(structName);
        int compared = 0;
        for (Field field : layout.getDeclaredFields()) {
            if (field.getType() != int.class && !StructField.class.isAssignableFrom(field.getType())) {
                continue;
            }
            int value = value(field);
            if (field.getName().equals("SIZE")) {
                assertTrue(
                        value == here(struct.size) || value == struct.sizeOf65,
                        structName + " has size " + struct.size);
            } else {
                Offset offset = struct.fields.get(field.getName());
                assertNotNull(offset, structName + " has no field " + field.getName());
                assertEquals(here(offset), value, structName + "." + field.getName());
                compared++;
            }
        }
        assertTrue(compared > 0, layout + " has no constant");
    }

    private static int value(Field field) {
        try {
            return field.get(null) instanceof StructField number ? number.offset() : field.getInt(null);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    static int here(Offset offset) {
        return Architecture.MUTEX_EXTRA == 0 ? offset.amd64 : offset.aarch64;
    }

    static Map<String, Struct> all() {
        return STRUCTS;
    }
}
