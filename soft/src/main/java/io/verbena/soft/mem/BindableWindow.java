package io.verbena.soft.mem;

import io.verbena.verbs.MemoryWindow;

/// A window of a software device, as those see it who bind it: the queue pair takes the request, and the table of keys
/// carries it out.
public interface BindableWindow extends MemoryWindow {
    boolean isClosed();

    /// A request that binds the window under that key is about to be posted. The call comes before, because the
    /// completion may be seen at once, and [#rkey] must be right then.
    void onBindPosted(int newKey);

    /// That request failed or was flushed. The key is what it was, unless a later request was posted. The caller
    /// holds the table's lock.
    void onBindFailed(int failedKey, int key);
}
