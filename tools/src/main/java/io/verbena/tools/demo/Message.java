package io.verbena.tools.demo;

import io.verbena.tools.program.ProgramException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/// One line of a [Report], as the parent sees it.
record Message(String from, Report.Kind kind, List<String> fields) {
    /// Empty when the line is not a report but other output of the process.
    static Optional<Message> parse(String from, String line) {
        String[] parts = line.split("\t", -1);
        if (parts.length < 2 || !parts[0].equals(Report.MARK)) {
            return Optional.empty();
        }
        try {
            var fields = List.of(Arrays.copyOfRange(parts, 2, parts.length));
            return Optional.of(new Message(from, Report.Kind.valueOf(parts[1]), fields));
        } catch (IllegalArgumentException unknownKind) {
            return Optional.empty();
        }
    }

    String text(int field) {
        return fields.get(field);
    }

    long number(int field) {
        return Long.parseLong(fields.get(field));
    }

    Histogram histogram(int field) {
        try {
            byte[] bytes = Base64.getDecoder().decode(fields.get(field));
            return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0);
        } catch (DataFormatException e) {
            throw new ProgramException("the " + from + " sent a histogram that cannot be read", e);
        }
    }
}
