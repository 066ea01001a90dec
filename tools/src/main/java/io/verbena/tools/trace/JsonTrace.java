package io.verbena.tools.trace;

import io.verbena.tools.text.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/// A trace for programs: one JSON object per line, with the time since 1970, so that those of two processes can be
/// put together. Each line is in the file before the call goes on: a program that is killed leaves all of them.
public final class JsonTrace implements TraceSink {
    private final PrintWriter out;
    private final String role;
    private final long process = ProcessHandle.current().pid();

    JsonTrace(PrintWriter out, String role) {
        this.out = out;
        this.role = role;
    }

    /// Starts the file anew.
    ///
    /// @param role `client` or `server`
    public static JsonTrace to(Path file, String role) throws IOException {
        return new JsonTrace(new PrintWriter(Files.newBufferedWriter(file, StandardCharsets.UTF_8)), role);
    }

    @Override
    public synchronized void accept(TraceRecord line) {
        out.println(Json.line(Json.object(
                "timeNs",
                line.timeNs(),
                "process",
                process,
                "role",
                role,
                "thread",
                line.thread(),
                "kind",
                line.kind().name().toLowerCase(Locale.ROOT),
                "verb",
                line.verb(),
                "text",
                line.text(),
                "details",
                line.details())));
        out.flush();
    }
}
