package io.verbena.endpoint;

/// Starts the threads of an endpoint: those of servers, of connections that are served, and of hubs.
@FunctionalInterface
public interface ThreadStarter {
    /// Starts a thread that runs `task`.
    ///
    /// @param builder what kind of thread, with its name
    void start(Thread.Builder builder, Runnable task);
}
