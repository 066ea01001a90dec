package io.verbena.tools.perf;

/// The run was stopped, by Ctrl-C or because the server ends. This is no failure, and what was measured so far counts.
final class StoppedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StoppedException() {
        super("stopped");
    }
}
