package io.verbena.soft.status;

/// The path of a connection to its peer.
public enum ConnectionPath {
    /// It has no peer, or does not keep one, as datagrams.
    NONE(""),
    UDP("UDP"),
    SHARED_MEMORY("shared memory");

    private final String text;

    ConnectionPath(String text) {
        this.text = text;
    }

    /// What people call it; empty for none.
    public String text() {
        return text;
    }
}
