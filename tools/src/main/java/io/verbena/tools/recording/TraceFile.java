package io.verbena.tools.recording;

import io.verbena.report.Json;
import io.verbena.tools.program.ProgramException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// Reads a file of `--trace-file`.
public final class TraceFile {
    private TraceFile() {}

    /// Reads all of it; a line that is none of a trace ends the program.
    public static List<TraceStep> read(Path file, Side side) {
        List<TraceStep> steps = read(file, side, problem -> {
            throw new ProgramException(problem + "; is it a file of --trace-file?");
        });
        if (steps.isEmpty()) {
            throw new ProgramException(file + " is empty: the program that wrote it made no call");
        }
        return steps;
    }

    /// Reads what can be read.
    ///
    /// @param problems takes a sentence for each line that is none of a trace
    public static List<TraceStep> read(Path file, Side side, Consumer<String> problems) {
        List<TraceStep> steps = new ArrayList<>();
        Map<String, String> words = new HashMap<>();
        int number = 0;
        try (BufferedReader in = Files.newBufferedReader(file)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                number++;
                if (!line.isBlank()) {
                    try {
                        steps.add(step(line, side, steps.size(), words));
                    } catch (IllegalArgumentException e) {
                        // each line is a text of its own for the parser
                        String reason = String.valueOf(e.getMessage()).replaceFirst("^line 1, ", "");
                        problems.accept(file + ", line " + number + ": " + reason);
                    }
                }
            }
        } catch (NoSuchFileException e) {
            throw new ProgramException("no file " + file + "; a program writes it with --trace-file " + file, e);
        } catch (CharacterCodingException e) {
            problems.accept(file + (number == 0 ? "" : ", behind line " + number) + ": this is not text");
        } catch (IOException e) {
            throw new ProgramException("cannot read " + file + ": " + e.getMessage(), e);
        }
        return steps;
    }

    private static TraceStep step(String line, Side side, int index, Map<String, String> words) {
        Object value = Json.readExact(line);
        if (!(value instanceof Map<?, ?> object)
                || !(object.get("timeNs") instanceof Number time)
                || !(object.get("kind") instanceof String kind)
                || !(object.get("verb") instanceof String verb)
                || !(object.get("details") instanceof Map<?, ?> details)) {
            throw new IllegalArgumentException("this is no line of a trace");
        }
        return new TraceStep(
                side,
                index,
                time.longValue(),
                shared(words, text(object, "role")),
                shared(words, kind),
                shared(words, verb),
                text(object, "text"),
                named(details, words),
                1);
    }

    /// One string for equal words: a long trace has few different ones.
    private static String shared(Map<String, String> words, String word) {
        String known = words.putIfAbsent(word, word);
        return known == null ? word : known;
    }

    private static String text(Map<?, ?> object, String name) {
        return object.get(name) instanceof String text ? text : "";
    }

    private static Map<String, Object> named(Map<?, ?> object, Map<String, String> words) {
        Map<String, Object> named = new LinkedHashMap<>();
        object.forEach((name, value) -> named.put(
                shared(words, String.valueOf(name)), value instanceof String text ? shared(words, text) : value));
        return named;
    }
}
