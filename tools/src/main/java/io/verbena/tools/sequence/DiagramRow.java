package io.verbena.tools.sequence;

import io.verbena.tools.recording.TraceStep;

/// A row of the diagram.
sealed interface DiagramRow {
    record Shown(TraceStep step) implements DiagramRow {}

    /// The number of rounds that are left out.
    record Folded(int rounds) implements DiagramRow {}
}
