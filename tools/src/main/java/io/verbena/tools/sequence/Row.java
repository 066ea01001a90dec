package io.verbena.tools.sequence;

/// What the picture shows below each other.
sealed interface Row {
    record Shown(Step step) implements Row {}

    /// So many rounds like those that are shown.
    record Folded(int rounds) implements Row {}
}
