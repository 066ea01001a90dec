package io.verbena.bench.run;

/// Gets the progress of a run.
public interface RunProgress {
    /// The current step; `done` of `total` steps come before it.
    void step(String what, int done, int total);

    /// A message on a line of its own.
    void note(String text);

    void end();
}
