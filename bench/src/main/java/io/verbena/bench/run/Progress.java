package io.verbena.bench.run;

/// Who is told how far a run is.
public interface Progress {
    /// What happens now; `done` of `total` steps are behind it.
    void step(String what, int done, int total);

    /// Something worth a line of its own.
    void note(String text);

    void end();
}
