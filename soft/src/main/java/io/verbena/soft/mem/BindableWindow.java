package io.verbena.soft.mem;

import io.verbena.verbs.MemoryWindow;

/// A window of a software device that can be bound: a queue pair takes the request, and [MemoryTable] executes it.
public interface BindableWindow extends MemoryWindow {
    boolean isClosed();

    /// A request that binds the window to that key is about to be posted. Called before posting, because [#rkey] must
    /// be right when the program sees the completion.
    void onBindPosted(int newKey);

    /// That request failed or was flushed. The window has its old key again, unless a later request was posted. The
    /// caller holds the table's lock.
    void onBindFailed(int failedKey, int key);
}
