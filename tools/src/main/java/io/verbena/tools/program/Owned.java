package io.verbena.tools.program;

import java.util.ArrayDeque;
import java.util.Deque;

/// Closes what it was given, newest first, as verbs want it: the queue pair before its completion queue, that before
/// its channel. So a constructor that fails in the middle leaves nothing open.
public final class Owned implements AutoCloseable {
    private final Deque<AutoCloseable> all = new ArrayDeque<>();

    public <T extends AutoCloseable> T add(T resource) {
        all.push(resource);
        return resource;
    }

    /// Closes all, even where one of them cannot be closed: the first such error is thrown in the end. Closing twice is
    /// fine.
    @Override
    public void close() {
        RuntimeException first = null;
        while (!all.isEmpty()) {
            try {
                all.pop().close();
            } catch (Exception e) {
                // verbs have no checked exceptions
                RuntimeException error = e instanceof RuntimeException r ? r : new IllegalStateException(e);
                if (first == null) {
                    first = error;
                } else {
                    first.addSuppressed(error);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
