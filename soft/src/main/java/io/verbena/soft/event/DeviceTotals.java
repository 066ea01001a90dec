package io.verbena.soft.event;

/// The counters of a device that a recording shows, summed up over its shards.
///
/// @param packetsDropped of any kind: malformed, damaged, or for nobody
/// @param requestsRefused connection requests that were refused or dropped
public record DeviceTotals(
        int queuePairs,
        long packetsSent,
        long packetsReceived,
        long bytesSent,
        long bytesReceived,
        long sharedMessages,
        long packetsRetransmitted,
        long packetsDropped,
        long acknowledgeTimeouts,
        long receiverNotReady,
        long requestsRefused) {}
