package io.verbena.soft.net;

/// Which work on datagrams is left to the system, where it can do it: cutting trains of frames into packets when they
/// leave, and putting packets that arrive together into one buffer.
enum Offload {
    NONE(false, false),
    SEND(true, false),
    RECEIVE(false, true),
    ALL(true, true);

    private final boolean sends;
    private final boolean receives;

    Offload(boolean sends, boolean receives) {
        this.sends = sends;
        this.receives = receives;
    }

    /// The one that a system property names, or null when there is no such.
    static Offload of(String name) {
        return switch (name) {
            case "none" -> NONE;
            case "send" -> SEND;
            case "receive" -> RECEIVE;
            case "all", "" -> ALL;
            default -> null;
        };
    }

    boolean sends() {
        return sends;
    }

    boolean receives() {
        return receives;
    }
}
