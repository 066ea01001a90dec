package io.verbena.tools.sequence;

import io.verbena.report.Json;
import io.verbena.tools.program.ProgramException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Reads a file of `--trace-file`.
final class TraceFile {
    private TraceFile() {}

    static List<TraceStep> read(Path file, DiagramSide side) {
        List<TraceStep> steps = new ArrayList<>();
        int number = 0;
        for (String line : lines(file)) {
            number++;
            if (!line.isBlank()) {
                steps.add(step(line, side, steps.size(), file + ", line " + number));
            }
        }
        if (steps.isEmpty()) {
            throw new ProgramException(file + " is empty: the program that wrote it made no call");
        }
        return steps;
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (NoSuchFileException e) {
            throw new ProgramException("no file " + file + "; a program writes it with --trace-file " + file, e);
        } catch (CharacterCodingException e) {
            throw new ProgramException(file + " is no trace: it is not text; --trace-file writes one", e);
        } catch (IOException e) {
            throw new ProgramException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    private static TraceStep step(String line, DiagramSide side, int index, String where) {
        Object value;
        try {
            value = Json.read(line);
        } catch (IllegalArgumentException e) {
            throw new ProgramException(where + ": " + e.getMessage() + "; is it a file of --trace-file?", e);
        }
        if (!(value instanceof Map<?, ?> object)
                || !(object.get("timeNs") instanceof Number time)
                || !(object.get("kind") instanceof String kind)
                || !(object.get("verb") instanceof String verb)
                || !(object.get("details") instanceof Map<?, ?> details)) {
            throw new ProgramException(where + " is no line of a trace; is it a file of --trace-file?");
        }
        return new TraceStep(
                side,
                index,
                time.longValue(),
                text(object, "role"),
                kind,
                verb,
                text(object, "text"),
                named(details),
                1);
    }

    private static String text(Map<?, ?> object, String name) {
        return object.get(name) instanceof String text ? text : "";
    }

    private static Map<String, Object> named(Map<?, ?> object) {
        Map<String, Object> named = new LinkedHashMap<>();
        object.forEach((name, value) -> named.put(String.valueOf(name), value));
        return named;
    }
}
