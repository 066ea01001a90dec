package io.verbena.tools.trace;

import io.verbena.tools.device.DeviceChoice;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/// The options `--trace` and `--trace-file`, for every command that uses a device.
@SuppressWarnings({"exports", "missing-explicit-ctor"}) // for commands of this module; other programs use Tracing
public final class TraceOptions {
    @Option(
            names = "--trace",
            description = "Show every verb call, completion and connection event with its time, on standard error.")
    private boolean trace;

    @Option(
            names = "--trace-file",
            paramLabel = "FILE",
            description = "Write the trace to FILE, one JSON object per line; 'verbena view' shows it.")
    private Path file;

    private Wrappers wrappers;

    /// The choice itself, or traced when an option asks for it. All choices of a process share one trace.
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
            TraceSink json = file == null ? null : JsonTrace.to(file, role);
            wrappers = Tracing.wrappers(text == null ? json : json == null ? text : text.and(json));
        }
        return wrappers;
    }
}
