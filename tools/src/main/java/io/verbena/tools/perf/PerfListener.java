package io.verbena.tools.perf;

import io.verbena.tools.perf.report.Measurement;

/// Who wants to know of a run: texts, files, plots. The calls come from one thread, in this order: `started`,
/// `measured` once for each size, `path`, `finished`. What it throws ends the run.
public interface PerfListener {
    /// Both sides are connected; the measuring begins.
    default void started(PerfRun run) {}

    /// A size is done, or was stopped in the middle.
    default void measured(Measurement measurement) {}

    /// Which way the messages went, see [io.verbena.tools.device.PathSeen]; before `finished`, also of a run that ended
    /// early.
    default void path(String path) {}

    /// Nothing more comes. `trouble` is null when all went well, else one line that says why it ended early
    /// (also "stopped by Ctrl-C"); what was measured until then was told before.
    default void finished(String trouble) {}
}
