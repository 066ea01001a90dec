package io.verbena.soft.cq;

/// A queue whose requests report to a completion queue.
@FunctionalInterface
public interface CompletionSource {
    /// One of its completions was taken by the program.
    void onTaken();
}
