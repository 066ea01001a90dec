package io.verbena.tools.perf;

import io.verbena.tools.perf.report.Measurement;

/// Listener for the events of a run: tables, files and plots implement it. The calls come from one thread, in this
/// order: `started`, `measured` once for each size, `path`, `finished`. An exception ends the run.
public interface PerfListener {
    /// Both sides are connected; the measuring begins.
    default void started(PerfRun run) {}

    /// A size is done, or was stopped in the middle.
    default void measured(Measurement measurement) {}

    /// The path that the messages took, see [io.verbena.tools.device.PathSeen]. Called before `finished`, also when the
    /// run ended early.
    default void path(String path) {}

    /// The last call. `trouble` is null when all went well, else one line that says why the run ended early (also
    /// "stopped by Ctrl-C"). What was measured until then has been passed to `measured`.
    default void finished(String trouble) {}
}
