package io.verbena.tools.sequence;

/// A message between the two devices.
///
/// - `from`: the step that causes it
/// - `to`: the step that it causes; null when it ends in the peer's memory, unseen by the peer's program
/// - `isAnswer`: data from the peer's memory, without the peer's program
record Arrow(TraceStep from, TraceStep to, String label, boolean isAnswer) {
    static Arrow message(TraceStep from, TraceStep to, String label) {
        return new Arrow(from, to, label, false);
    }

    /// The side where the arrow starts; an answer starts at the peer of the requester.
    DiagramSide origin() {
        return isAnswer ? from.side().other() : from.side();
    }

    /// Whether one end is the peer's memory.
    boolean isMemory() {
        return to == null || isAnswer;
    }
}
