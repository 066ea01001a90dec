package io.verbena.tools.recording;

/// A message between the two devices.
///
/// - `from`: the step that causes it
/// - `to`: the step that it causes; null when it ends in the peer's memory, unseen by the peer's program
/// - `isAnswer`: data from the peer's memory, without the peer's program
public record Arrow(TraceStep from, TraceStep to, String label, boolean isAnswer) {
    public static Arrow message(TraceStep from, TraceStep to, String label) {
        return new Arrow(from, to, label, false);
    }

    /// The side where the arrow starts; an answer starts at the peer of the requester.
    public Side origin() {
        return isAnswer ? from.side().other() : from.side();
    }

    /// Whether one end is the peer's memory.
    public boolean isMemory() {
        return to == null || isAnswer;
    }
}
