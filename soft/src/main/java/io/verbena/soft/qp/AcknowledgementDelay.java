package io.verbena.soft.qp;

/// Decides whether an acknowledgement may wait, so that the next one covers its message too (delayed acknowledgement).
///
/// An acknowledgement costs both sides a system call. A peer that sends its next message without waiting for it, as in
/// a ping-pong or a stream of small messages, loses nothing when one acknowledgement covers many messages. A peer that
/// waits for each acknowledgement must get it at once. A trial shows which kind the peer is: an acknowledgement is held
/// back for a few microseconds, and either the next message arrives meanwhile or it does not. Trials with a peer that
/// waits become less and less frequent.
///
/// The number of messages that one acknowledgement may cover adapts in the same way: it grows while the peer continues,
/// and shrinks when the peer twice stops before the number is reached, as a peer does whose send queue is full. Owned
/// by the engine.
final class AcknowledgementDelay {
    /// Longer than a round trip on one host. A peer farther away always fails the trial, and loses nothing.
    static final long HOLD_NS = 30_000;

    /// How long the first message that an acknowledgement covers may wait: far less than the timeout of peers.
    private static final long OLDEST_NS = 500_000;

    /// Messages that one acknowledgement may cover at first: few enough for the shortest send queues in use.
    static final int FEWEST_HELD = 8;

    static final int MOST_HELD = 32;

    /// After this many acknowledgements that covered the full number, the number doubles. This value doubles when that
    /// was too many.
    private static final int ENOUGH = 4;

    private static final int MOST_ENOUGH = 64;

    static final int FIRST_TRIAL = 16;
    private static final int AFTER_A_PAUSE = 2;
    private static final int LONGEST_BETWEEN_TRIALS = 1 << 10;

    private boolean patient;
    private boolean onTrial;
    private int held;
    private int most = FEWEST_HELD;
    private int reached;
    private int enough = ENOUGH;
    /// Whether the peer stopped since `most` was last reached.
    private boolean stopped;

    private long firstMessageNs;
    private int untilTrial = FIRST_TRIAL;
    private int betweenTrials = FIRST_TRIAL;
    private long lastMessageNs;

    void reset() {
        patient = false;
        onTrial = false;
        held = 0;
        most = FEWEST_HELD;
        reached = 0;
        enough = ENOUGH;
        stopped = false;
        untilTrial = FIRST_TRIAL;
        betweenTrials = FIRST_TRIAL;
    }

    /// A whole message arrived that wants an acknowledgement.
    void onMessage(long nowNs) {
        if (held > 0 && onTrial) {
            patient = true;
            onTrial = false;
            betweenTrials = FIRST_TRIAL;
        }
        if (held++ == 0) {
            firstMessageNs = nowNs;
        }
        lastMessageNs = nowNs;
        if (!patient && !onTrial && --untilTrial <= 0) {
            onTrial = true;
        }
    }

    boolean mayWait(long nowNs) {
        if (!patient && !onTrial || held >= most || nowNs - firstMessageNs >= OLDEST_NS) {
            return false;
        }
        if (nowNs - lastMessageNs < HOLD_NS) {
            return true;
        }
        if (patient) {
            // A pause of the peer shows little. The next trial comes soon.
            untilTrial = AFTER_A_PAUSE;
            onStop();
        } else {
            // The peer sent nothing during the trial: it waits for the acknowledgement.
            betweenTrials = Math.min(betweenTrials * 2, LONGEST_BETWEEN_TRIALS);
            untilTrial = betweenTrials;
        }
        patient = false;
        onTrial = false;
        return false;
    }

    private void onStop() {
        if (stopped && most > FEWEST_HELD) {
            most /= 2;
            enough = Math.min(enough * 2, MOST_ENOUGH);
            reached = 0;
        }
        stopped = true;
    }

    private void onReached() {
        stopped = false;
        if (most < MOST_HELD && ++reached >= enough) {
            most *= 2;
            reached = 0;
        }
    }

    /// The acknowledgement was sent.
    void onSent() {
        if (patient && held >= most) {
            onReached();
        }
        held = 0;
        if (onTrial) {
            // Sent for another reason before the trial was over.
            onTrial = false;
            untilTrial = betweenTrials;
        }
    }
}
