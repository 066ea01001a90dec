package io.verbena.tools.view;

/// What an event is. The order is used by the page.
enum EventKind {
    CALL,
    FAILURE,
    COMPLETION,
    EVENT,
    PACKET,
    ACKNOWLEDGE,
    /// Of the flight recorder.
    RECORDED
}
