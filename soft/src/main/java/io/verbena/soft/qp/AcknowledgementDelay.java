package io.verbena.soft.qp;

/// Whether an acknowledgement may wait for the next one, to be saved altogether.
///
/// An acknowledgement costs both sides a system call. A peer that sends its next message without waiting for it, as
/// in a ping-pong or a stream of small messages, loses nothing when one speaks for many. A peer that waits for each
/// one must get it at once. Which kind it is shows by trying: now and then one is held back for a few microseconds,
/// and either the next message comes meanwhile or it does not. Peers that wait are tried less and less often. Owned
/// by the engine.
final class AcknowledgementDelay {
    /// Longer than a round trip on one host; a peer farther away is never found patient, and loses nothing.
    static final long HOLD_NS = 30_000;

    /// Messages that one acknowledgement may speak for; few enough for the shortest send queues in use.
    static final int MOST_HELD = 8;

    static final int FIRST_TRIAL = 16;
    private static final int AFTER_A_PAUSE = 2;
    private static final int LONGEST_BETWEEN_TRIALS = 1 << 10;

    private boolean patient;
    private boolean onTrial;
    private int held;
    private int untilTrial = FIRST_TRIAL;
    private int betweenTrials = FIRST_TRIAL;
    private long lastMessageNs;

    void reset() {
        patient = false;
        onTrial = false;
        held = 0;
        untilTrial = FIRST_TRIAL;
        betweenTrials = FIRST_TRIAL;
    }

    /// A whole message came that wants an acknowledgement.
    void onMessage(long nowNs) {
        if (held > 0 && onTrial) {
            patient = true;
            onTrial = false;
            betweenTrials = FIRST_TRIAL;
        }
        held++;
        lastMessageNs = nowNs;
        if (!patient && !onTrial && --untilTrial <= 0) {
            onTrial = true;
        }
    }

    boolean mayWait(long nowNs) {
        if (!patient && !onTrial || held >= MOST_HELD) {
            return false;
        }
        if (nowNs - lastMessageNs < HOLD_NS) {
            return true;
        }
        if (patient) {
            // It paused, which says little: what it is like is found out again soon.
            untilTrial = AFTER_A_PAUSE;
        } else {
            // On trial it did not go on: it waits for us.
            betweenTrials = Math.min(betweenTrials * 2, LONGEST_BETWEEN_TRIALS);
            untilTrial = betweenTrials;
        }
        patient = false;
        onTrial = false;
        return false;
    }

    /// The acknowledgement is out.
    void onSent() {
        held = 0;
        if (onTrial) {
            // Sent for another reason before the trial was over.
            onTrial = false;
            untilTrial = betweenTrials;
        }
    }
}
