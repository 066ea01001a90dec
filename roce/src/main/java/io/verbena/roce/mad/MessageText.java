package io.verbena.roce.mad;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// The text of a message record: like the text of any record, but with identifiers in hexadecimal and arrays by their
/// bytes, without trailing zeros.
final class MessageText {
    private static final Pattern IDENTIFIER = Pattern.compile("(?i).*(id|key|qpn|eecn|guid|lid|hi|lo|label|modifier)");

    private MessageText() {}

    static String of(Record message) {
        return message.getClass().getSimpleName() + fields(message);
    }

    static List<String> fields(Record message) {
        List<String> fields = new ArrayList<>();
        for (RecordComponent component : message.getClass().getRecordComponents()) {
            fields.add(component.getName() + "=" + text(component.getName(), value(component, message)));
        }
        return fields;
    }

    private static Object value(RecordComponent component, Record message) {
        try {
            return component.getAccessor().invoke(message);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("accessors of these records are public", e);
        }
    }

    private static String text(String name, Object value) {
        boolean identifier = IDENTIFIER.matcher(name).matches();
        return switch (value) {
            case byte[] bytes -> PrivateData.hex(bytes);
            case Long number -> "0x%x".formatted(number);
            case Integer number when identifier -> "0x%x".formatted(number);
            case CmPath path when path.equals(CmPath.NONE) -> "none";
            default -> value.toString();
        };
    }
}
