package io.verbena.tools.program;

import java.util.ArrayDeque;
import java.util.Deque;

/// A stack of objects to close, newest first, as verbs need it: the queue pair before its completion queue, that before
/// its channel. With it a constructor that fails half-way leaves nothing open.
public final class Owned implements AutoCloseable {
    private final Deque<AutoCloseable> all = new ArrayDeque<>();

    public <T extends AutoCloseable> T add(T resource) {
        all.push(resource);
        return resource;
    }

    /// Closes all objects, also after one could not be closed; then throws the first error. Closing twice is fine.
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
