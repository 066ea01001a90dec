package io.verbena.roce.mad;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.StringJoiner;

/// The text of a message record: like the text of any record, but arrays show their bytes and omit trailing zeros.
final class MessageText {
    private MessageText() {}

    static String of(Record message) {
        StringJoiner text = new StringJoiner(", ", message.getClass().getSimpleName() + "[", "]");
        for (RecordComponent component : message.getClass().getRecordComponents()) {
            text.add(component.getName() + "=" + value(component, message));
        }
        return text.toString();
    }

    private static Object value(RecordComponent component, Record message) {
        try {
            Object value = component.getAccessor().invoke(message);
            return value instanceof byte[] bytes ? hex(bytes) : value;
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("accessors of these records are public", e);
        }
    }

    private static String hex(byte[] bytes) {
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] == 0) {
            end--;
        }
        return "'" + HexFormat.of().formatHex(Arrays.copyOf(bytes, end)) + "'";
    }
}
