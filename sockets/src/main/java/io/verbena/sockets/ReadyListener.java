package io.verbena.sockets;

/// Is told when something that a thread or a selector may wait for has changed.
interface ReadyListener {
    /// From any thread, often without need; must not wait.
    void onReady();
}
