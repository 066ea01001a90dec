package io.verbena.soft.cm;

import io.verbena.soft.wait.Waiter;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.spi.ConnectionOptions;
import io.verbena.verbs.spi.QueuePairTiming;

/// The settings of this side of a connection; the numbers are checked and within the device's limits.
///
/// @param isExternal whether the program moves the queue pair itself
/// @param responderResources READs and atomics this side serves at a time
/// @param initiatorDepth READs and atomics this side issues at a time
/// @param rnrRetryCount how often the *peer* retries when this side has no receive posted
/// @param privateData the program's bytes
/// @param timeoutNs how long this side tries before it gives up, for each of connect, accept and disconnect
record LocalSettings(
        int qpNumber,
        boolean isExternal,
        boolean sharedReceiveQueue,
        int responderResources,
        int initiatorDepth,
        boolean flowControl,
        int retryCount,
        int rnrRetryCount,
        QueuePairTiming timing,
        byte[] privateData,
        long timeoutNs) {
    /// @param told checked, with every number filled in
    static LocalSettings of(ConnectionParameters told, boolean isExternal, ConnectionOptions options) {
        return new LocalSettings(
                told.qpNumber(),
                isExternal,
                told.srq(),
                told.responderResources(),
                told.initiatorDepth(),
                told.flowControl(),
                told.retryCount(),
                told.rnrRetryCount(),
                options.timing(),
                told.privateData(),
                Waiter.nanoseconds(options.timeout()));
    }

    /// The settings before the program has given parameters: the device's maximum.
    static LocalSettings most(PortFacts facts, QueuePairTiming timing) {
        return new LocalSettings(
                0,
                true,
                false,
                facts.maxResponderResources(),
                facts.maxInitiatorDepth(),
                false,
                0,
                0,
                timing,
                new byte[0],
                0);
    }
}
