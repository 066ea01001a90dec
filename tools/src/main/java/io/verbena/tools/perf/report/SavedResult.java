package io.verbena.tools.perf.report;

import io.verbena.report.Json;
import io.verbena.report.Numbers;
import io.verbena.tools.program.ProgramException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The JSON document of a run, checked, for plots and comparisons. `name` is for people; `error` is empty unless the
/// run ended early.
record SavedResult(
        String name,
        String test,
        String error,
        Map<String, Object> environment,
        Map<String, Object> parameters,
        List<Size> sizes) {

    /// No result is nearly that large; a wrong file must not fill the memory.
    static final long LARGEST_FILE = 64L << 20;

    /// The figures for one message size. Figures that are missing in the document are missing in `values`.
    /// `percentiles` and `latenciesUs` are the coordinates of a curve; both are empty when there is none.
    record Size(
            long bytes,
            long messages,
            long samples,
            Map<Metric, Double> values,
            List<Double> percentiles,
            List<Double> latenciesUs) {}

    SavedResult withName(String other) {
        return new SavedResult(other, test, error, environment, parameters, sizes);
    }

    /// Throws an [ProgramException] when the file cannot be read or is no result of `verbena perf`.
    static SavedResult read(Path file) {
        Object document;
        try {
            if (!Files.isRegularFile(file) && Files.exists(file)) {
                throw new ProgramException(file + " is no file");
            }
            if (Files.size(file) > LARGEST_FILE) {
                throw new ProgramException(file + " is larger than any result of 'verbena perf --json'");
            }
            document = Json.read(text(Files.readAllBytes(file)));
        } catch (NoSuchFileException e) {
            throw new ProgramException(file + " does not exist");
        } catch (AccessDeniedException e) {
            throw new ProgramException(file + " may not be read");
        } catch (CharacterCodingException e) {
            throw new ProgramException(file + " is no JSON: it is not text in UTF-8");
        } catch (IOException e) {
            throw new ProgramException(file + " cannot be read: " + e.getMessage());
        } catch (IllegalArgumentException e) {
            throw new ProgramException(file + " is no JSON: " + e.getMessage());
        }
        Path last = file.getFileName();
        return of(
                (last == null ? file : last).toString().replaceFirst("(?<=.)\\.json$", ""), file.toString(), document);
    }

    private static String text(byte[] bytes) throws CharacterCodingException {
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes))
                .toString();
    }

    /// @param where the name of the document in errors
    static SavedResult of(String name, String where, Object document) {
        var fields = new Fields(where, document);
        if (!(document instanceof Map<?, ?> map) || !ResultDocument.FORMAT.equals(map.get("format"))) {
            throw new ProgramException(where + " is no result of 'verbena perf --json'");
        }
        if (fields.number("formatVersion") != ResultDocument.FORMAT_VERSION) {
            throw new ProgramException(where + " has the format of another Verbena: version "
                    + Numbers.plain(fields.number("formatVersion")) + ", this one reads "
                    + ResultDocument.FORMAT_VERSION);
        }
        List<Size> sizes = fields.list("results").stream()
                .map(result -> size(new Fields(where, result)))
                .toList();
        Set<Long> seen = new HashSet<>();
        for (Size size : sizes) {
            if (!seen.add(size.bytes())) {
                throw new ProgramException(where + " has the size " + size.bytes() + " twice");
            }
        }
        return new SavedResult(
                name,
                fields.text("test"),
                map.get("error") instanceof String error ? error : "",
                fields.object("environment"),
                fields.object("parameters"),
                sizes);
    }

    private static Size size(Fields result) {
        Map<Metric, Double> values = new EnumMap<>(Metric.class);
        for (Metric metric : Metric.values()) {
            Double value = result.numberOrNull(metric.path());
            if (value != null) {
                values.put(metric, value);
            }
        }
        List<Double> percentiles = result.numbers(List.of("latencyCurve", "percentile"));
        List<Double> latencies = result.numbers(List.of("latencyCurve", "us"));
        if (percentiles.size() != latencies.size()) {
            throw result.wrong(
                    "latencyCurve has " + percentiles.size() + " percentiles for " + latencies.size() + " latencies");
        }
        if (percentiles.stream().anyMatch(percentile -> percentile > 100)) {
            throw result.wrong("latencyCurve has a percentile above 100");
        }
        Double messages = result.numberOrNull(List.of("messages"));
        Double samples = result.numberOrNull(List.of("latencyUs", "samples"));
        return new Size(
                (long) result.number("bytes"),
                messages == null ? 0 : messages.longValue(),
                samples == null ? 0 : samples.longValue(),
                values,
                percentiles,
                latencies);
    }
}
