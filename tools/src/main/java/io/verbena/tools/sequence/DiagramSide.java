package io.verbena.tools.sequence;

/// The left and the right half of the diagram.
enum DiagramSide {
    CLIENT,
    SERVER;

    DiagramSide other() {
        return this == CLIENT ? SERVER : CLIENT;
    }
}
