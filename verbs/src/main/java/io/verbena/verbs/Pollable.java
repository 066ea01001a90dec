package io.verbena.verbs;

/// An event channel of any kind: a completion channel, a connection manager's event channel, a device's async events.
/// Counterpart of the file descriptors in `ibv_comp_channel`, `rdma_event_channel` and `ibv_context`.
///
/// Channels of one provider can be awaited together; those of two providers cannot, and need a thread each.
public interface Pollable {
    /// Whether an event can be taken without waiting. Does not take it.
    boolean isReady();

    /// For [Poller]: makes a poller that can wait for objects of this provider.
    Poller newPoller();

    /// For pollers of providers: the provider's own channel behind this one; mostly itself.
    default Pollable unwrap() {
        return this;
    }
}
