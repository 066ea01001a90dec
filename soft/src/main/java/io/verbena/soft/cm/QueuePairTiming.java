package io.verbena.soft.cm;

import io.verbena.roce.mad.CmTimeout;

/// The two timers of a queue pair that the connection manager sets, and what it tells the peer about them.
///
/// Linux gives its own queue pairs an acknowledgement timeout of 2.1 s (code 19) and an RNR timer of 655 ms (code 0):
/// one lost packet or one missing receive stalls that long. A side chooses its own timers, whatever it tells the
/// peer, so a Linux peer is told what it expects, and this side uses shorter ones:
///
/// - acknowledgement timeout 16, 268 ms: with the usual 7 retries a peer may be silent for 2 s, which outlasts a
/// garbage
///   collection or a busy host, and a peer that died is noticed soon;
/// - RNR timer 12, 0.64 ms, as `perftest` sets it.
///
/// @param ackTimeoutOption what the program asked for, or [#UNSET]
/// @param minRnrTimerOption what the program asked for, or [#UNSET]
record QueuePairTiming(int ackTimeoutOption, int minRnrTimerOption) {
    static final int UNSET = -1;
    static final QueuePairTiming DEFAULT = new QueuePairTiming(UNSET, UNSET);

    /// Of the path that Linux assumes on Ethernet: what travels in a REQ is one more.
    private static final int PACKET_LIFE_TIME = 18;

    private static final int LONGEST_OWN_ACK_TIMEOUT = 16;
    /// 67 ms. A peer that proposes less would make this side repeat packets that are merely under way.
    private static final int SHORTEST_OWN_ACK_TIMEOUT = 14;

    private static final int OWN_MIN_RNR_TIMER = 12;

    /// For the REQ: the timeout that a passive peer uses for its queue pair.
    int advertisedAckTimeout() {
        return ackTimeoutOption != UNSET ? ackTimeoutOption : PACKET_LIFE_TIME + 1;
    }

    int passiveAckTimeout(int advertisedByPeer) {
        return own(advertisedByPeer);
    }

    int activeAckTimeout(int targetAckDelay) {
        return own(CmTimeout.ackTimeout(targetAckDelay, advertisedAckTimeout() == 0 ? 0 : advertisedAckTimeout() - 1));
    }

    int minRnrTimer() {
        return minRnrTimerOption != UNSET ? minRnrTimerOption : OWN_MIN_RNR_TIMER;
    }

    private int own(int negotiated) {
        if (ackTimeoutOption != UNSET) {
            return ackTimeoutOption;
        }
        return Math.clamp(
                negotiated == 0 ? CmTimeout.MAX_CODE : negotiated, SHORTEST_OWN_ACK_TIMEOUT, LONGEST_OWN_ACK_TIMEOUT);
    }
}
