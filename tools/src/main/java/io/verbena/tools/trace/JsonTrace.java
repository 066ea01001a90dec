package io.verbena.tools.trace;

import io.verbena.report.Json;
import io.verbena.report.JsonObject;
import io.verbena.report.OutputException;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/// A trace for programs: one JSON object per line, with the time since 1970, so that traces of two processes can be
/// merged. Each line is written before the call continues: a killed program loses none.
public final class JsonTrace implements TraceSink {
    private final Path file;
    private final Writer out;
    private final String role;
    private final long process = ProcessHandle.current().pid();
    private boolean failed;

    private JsonTrace(Path file, Writer out, String role) {
        this.file = file;
        this.out = out;
        this.role = role;
    }

    /// Overwrites the file.
    ///
    /// @param role `client` or `server`
    public static JsonTrace to(Path file, String role) {
        try {
            return new JsonTrace(file, Files.newBufferedWriter(file, StandardCharsets.UTF_8), role);
        } catch (IOException e) {
            throw new OutputException("--trace-file " + file, e);
        }
    }

    @Override
    public synchronized void accept(TraceRecord line) {
        if (failed) {
            return; // was reported before
        }
        String text = Json.line(new JsonObject()
                .with("timeNs", line.timeNs())
                .with("process", process)
                .with("role", role)
                .with("thread", line.thread())
                .with("kind", line.kind().name().toLowerCase(Locale.ROOT))
                .with("verb", line.verb())
                .with("text", line.text())
                .with("details", line.details()));
        try {
            out.write(text + System.lineSeparator());
            out.flush();
        } catch (IOException e) {
            failed = true;
            throw giveUp(e);
        }
    }

    /// A truncated trace would be drawn as that of a program that ended there.
    private OutputException giveUp(IOException cause) {
        try (var _ = out) {
            if (Files.isRegularFile(file)) {
                Files.delete(file);
            }
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
        return new OutputException("--trace-file " + file, cause);
    }
}
