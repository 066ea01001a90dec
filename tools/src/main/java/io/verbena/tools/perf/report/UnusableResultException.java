package io.verbena.tools.perf.report;

/// A saved result that cannot be read, plotted or compared; the message says which and why.
final class UnusableResultException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnusableResultException(String message) {
        super(message);
    }
}
