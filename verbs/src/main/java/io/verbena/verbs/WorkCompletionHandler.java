package io.verbena.verbs;

/// Receives completions from [CompletionQueue#poll]. Make it once and keep it: a new lambda a poll is garbage.
@FunctionalInterface
public interface WorkCompletionHandler {
    /// `completion` is reused: read it now, or keep [WorkCompletion#copy].
    void onCompletion(WorkCompletion completion);
}
