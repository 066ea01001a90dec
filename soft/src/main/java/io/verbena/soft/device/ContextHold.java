package io.verbena.soft.device;

import java.util.List;

/// Keeps a context open for connection ids, which are not objects of the context themselves.
public interface ContextHold extends AutoCloseable {
    /// The ids that keep the context open.
    List<? extends AutoCloseable> users();

    /// Whether an object of the context is the hold's, and not the program's.
    boolean owns(AutoCloseable child);

    /// Refuses: the users are closed instead.
    @Override
    void close();
}
