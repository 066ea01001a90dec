package io.verbena.tools.perf;

/// Ctrl-C, or a server that ends: no failure, and what was measured so far still counts.
final class StoppedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StoppedException() {
        super("stopped");
    }
}
