package io.verbena.soft.cq;

/// A work queue whose completions go to a completion queue.
@FunctionalInterface
public interface CompletionSource {
    /// The program has polled one of its completions.
    void onTaken();
}
