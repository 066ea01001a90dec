package io.verbena.tools.sequence;

/// The left half of the picture, and the right one.
enum Side {
    CLIENT,
    SERVER;

    Side other() {
        return this == CLIENT ? SERVER : CLIENT;
    }
}
