package io.verbena.tools.program;

import java.util.ArrayDeque;
import java.util.Deque;

/// Closes what it was given, newest first, as verbs want it: the queue pair before its completion queue, that before
/// its
/// channel. So a constructor that fails in the middle leaves nothing open.
public final class Owned implements AutoCloseable {
    private final Deque<AutoCloseable> all = new ArrayDeque<>();

    public <T extends AutoCloseable> T add(T resource) {
        all.push(resource);
        return resource;
    }

    /// Closing twice is fine.
    @Override
    public void close() {
        while (!all.isEmpty()) {
            close(all.pop());
        }
    }

    private static void close(AutoCloseable resource) {
        try {
            resource.close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception none) {
            throw new IllegalStateException(none); // verbs have no checked exceptions
        }
    }
}
