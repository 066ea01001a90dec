package io.verbena.tools.trace;

import io.verbena.verbs.attr.Access;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// The values of a call: each in words for people, and under a name for programs.
final class Details {
    private static final String BETWEEN = "  ";

    private final StringBuilder text = new StringBuilder();
    private final Map<String, Object> values = new LinkedHashMap<>();

    /// Adds words without a name.
    Details say(String words) {
        if (!words.isEmpty()) {
            text.append(text.isEmpty() ? "" : BETWEEN).append(words);
        }
        return this;
    }

    Details add(String name, Object value, String words) {
        values.put(name, value);
        return say(words);
    }

    /// Adds `name value`.
    Details add(String name, Object value) {
        return add(name, value, name + " " + value);
    }

    /// Adds a key or an address. Programs get it as text, because numbers of JSON have only 53 bits.
    Details addHex(String name, int value) {
        return add(name, hex(value));
    }

    /// Adds the object that a call returned.
    Details gives(String name, String value) {
        return add(name, value, "-> " + value);
    }

    Details flag(String name, boolean isSet) {
        return isSet ? add(name, true, name) : this;
    }

    String text() {
        return text.toString();
    }

    Map<String, Object> values() {
        return values;
    }

    static String hex(long value) {
        return "0x" + Long.toHexString(value);
    }

    static String hex(int value) {
        return "0x" + Integer.toHexString(value);
    }

    /// The name of a queue pair as in messages of the library and other tools.
    static String queuePair(int number) {
        return "QP " + hex(number);
    }

    static String bytes(long count) {
        return count == 1 ? "1 byte" : count + " bytes";
    }

    /// `LOCAL_WRITE|REMOTE_READ`.
    static String rights(Collection<Access> rights) {
        return new TreeSet<>(rights).stream().map(Access::name).collect(Collectors.joining("|"));
    }
}
