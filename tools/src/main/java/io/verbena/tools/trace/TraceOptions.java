package io.verbena.tools.trace;

import io.verbena.tools.device.DeviceChoice;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/// The options `--trace` and `--trace-file`, for every command that uses a device.
public final class TraceOptions {
    @Option(
            names = "--trace",
            description = "Show every verb call, completion and connection event with its time, on standard error.")
    private boolean trace;

    @Option(
            names = "--trace-file",
            paramLabel = "FILE",
            description = "Write them to FILE, one JSON object per line; 'verbena sequence' draws them.")
    private Path file;

    private Wrappers wrappers;

    /// The choice as it is, or traced where the user asks for that. All choices of one process go to one trace.
    ///
    /// @param role `client` or `server`
    /// @param err where `--trace` goes
    public DeviceChoice apply(DeviceChoice choice, String role, PrintWriter err) {
        if (!trace && file == null) {
            return choice;
        }
        return Tracing.of(choice, wrappers(role, err));
    }

    private synchronized Wrappers wrappers(String role, PrintWriter err) {
        if (wrappers == null) {
            TraceSink text = trace ? new TextTrace(err) : null;
            TraceSink json = file == null ? null : open(role);
            wrappers = Tracing.wrappers(text == null ? json : json == null ? text : text.and(json));
        }
        return wrappers;
    }

    private TraceSink open(String role) {
        try {
            return JsonTrace.to(file, role);
        } catch (IOException e) {
            throw new UncheckedIOException("--trace-file: cannot write " + file + ": " + reason(e), e);
        }
    }

    /// The message of a file system's exception is the name of the file.
    private static String reason(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "its folder does not exist";
        }
        return e instanceof FileSystemException failed && failed.getReason() != null
                ? failed.getReason()
                : e.getClass().getSimpleName();
    }
}
