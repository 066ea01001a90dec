package io.verbena.tools.sequence;

/// A message between the two devices.
///
/// - `from`: the step that causes it
/// - `to`: the step that it causes; null when it ends in the peer's memory, unseen by its program
/// - `isAnswer`: data that comes back from the peer's memory, with no program taking part there
record Arrow(Step from, Step to, String label, boolean isAnswer) {
    static Arrow message(Step from, Step to, String label) {
        return new Arrow(from, to, label, false);
    }

    /// Where it starts; answers start at the peer of who asked.
    Side origin() {
        return isAnswer ? from.side().other() : from.side();
    }

    /// Whether it ends or starts in the peer's memory.
    boolean isMemory() {
        return to == null || isAnswer;
    }
}
