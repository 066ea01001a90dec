package io.verbena.rdmacore.cm;

/// The two timers of a queue pair that the connection manager sets.
///
/// Linux gives its queue pairs an acknowledgement timeout of 2.1 s (code 19) and an RNR timer of 655 ms (code 0): one
/// lost packet or one missing receive stalls that long. Both are a side's own affair, so this one takes shorter ones,
/// the same as the software device:
///
/// - acknowledgement timeout at most 16, 268 ms: with the usual 7 retries a peer may be silent for 2 s;
/// - RNR timer 12, 0.64 ms, as `perftest` sets it.
///
/// @param ackTimeoutOption what the program asked for, or [IdOptions#UNSET]
/// @param minRnrTimerOption what the program asked for, or [IdOptions#UNSET]
record QueuePairTiming(int ackTimeoutOption, int minRnrTimerOption) {
    private static final int LONGEST_ACK_TIMEOUT = 16;
    /// 67 ms. A peer that proposes less would make this side repeat packets that are merely under way.
    private static final int SHORTEST_ACK_TIMEOUT = 14;

    private static final int MIN_RNR_TIMER = 12;

    /// @param negotiated what the kernel's connection manager worked out; 0 is for ever
    int ackTimeout(int negotiated) {
        if (ackTimeoutOption != IdOptions.UNSET) {
            return ackTimeoutOption;
        }
        return negotiated == 0
                ? LONGEST_ACK_TIMEOUT
                : Math.clamp(negotiated, SHORTEST_ACK_TIMEOUT, LONGEST_ACK_TIMEOUT);
    }

    int minRnrTimer() {
        return minRnrTimerOption != IdOptions.UNSET ? minRnrTimerOption : MIN_RNR_TIMER;
    }
}
