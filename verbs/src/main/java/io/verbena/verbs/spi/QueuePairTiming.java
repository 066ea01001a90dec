package io.verbena.verbs.spi;

/// The two timers of a queue pair that a connection manager sets.
///
/// Linux gives its queue pairs an acknowledgement timeout of 2.1 s (code 19) and an RNR timer of 655 ms (code 0): one
/// lost packet or one missing receive stalls that long. Each side chooses its own, so all providers use shorter ones
/// unless the program sets others:
///
/// - acknowledgement timeout at most 16, 268 ms: with the usual 7 retries a peer may be silent for 2 to 8 s (7.2 s on
///   software devices), which outlasts a garbage collection or a busy host, and a peer that died is noticed soon;
/// - RNR timer 12, 0.64 ms, as `perftest` sets it.
///
/// @param ackTimeoutOption what the program asked for, or [ConnectionOptions#UNSET]
/// @param minRnrTimerOption what the program asked for, or [ConnectionOptions#UNSET]
public record QueuePairTiming(int ackTimeoutOption, int minRnrTimerOption) {
    public static final QueuePairTiming DEFAULT = new QueuePairTiming(ConnectionOptions.UNSET, ConnectionOptions.UNSET);

    private static final int LONGEST_ACK_TIMEOUT = 16;
    /// 67 ms. With a shorter timeout this side would retransmit packets that are still on the way.
    private static final int SHORTEST_ACK_TIMEOUT = 14;

    private static final int MIN_RNR_TIMER = 12;

    /// The code of the acknowledgement timeout that a queue pair gets.
    ///
    /// @param negotiated the timeout that both sides agreed on; 0 is for ever
    public int ackTimeout(int negotiated) {
        if (ackTimeoutOption != ConnectionOptions.UNSET) {
            return ackTimeoutOption;
        }
        return negotiated == 0
                ? LONGEST_ACK_TIMEOUT
                : Math.clamp(negotiated, SHORTEST_ACK_TIMEOUT, LONGEST_ACK_TIMEOUT);
    }

    /// The timeout to propose to a peer that proposes none, such as Linux.
    public int proposedAckTimeout() {
        return ackTimeoutOption != ConnectionOptions.UNSET ? ackTimeoutOption : LONGEST_ACK_TIMEOUT;
    }

    /// The code of the RNR timer that a queue pair gets.
    public int minRnrTimer() {
        return minRnrTimerOption != ConnectionOptions.UNSET ? minRnrTimerOption : MIN_RNR_TIMER;
    }
}
