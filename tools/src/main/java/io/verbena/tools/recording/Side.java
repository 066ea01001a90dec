package io.verbena.tools.recording;

/// The two sides of a conversation: the left and the right half of a diagram.
public enum Side {
    CLIENT,
    SERVER;

    public Side other() {
        return this == CLIENT ? SERVER : CLIENT;
    }
}
