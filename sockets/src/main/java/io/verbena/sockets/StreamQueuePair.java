package io.verbena.sockets;

import io.verbena.sockets.protocol.ConnectionData;
import io.verbena.sockets.protocol.StreamSettings;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionOption;
import io.verbena.verbs.cm.ConnectionParameters;
import java.net.StandardSocketOptions;

/// The queue pairs of connections, and how they are connected.
final class StreamQueuePair {
    /// About 0.1 ms: a C peer that finds no receive tries again that soon, not after 655 ms.
    private static final int SHORT_RNR_TIMER = 5;

    /// Seven would mean for ever to the kernel's soft-RoCE.
    private static final int RETRIES = 6;

    private static final int RNR_FOR_EVER = 7;

    private StreamQueuePair() {}

    /// Before it is connected or accepted.
    static void configure(ConnectionId id, SocketSettings settings) {
        id.option(ConnectionOption.MIN_RNR_TIMER, SHORT_RNR_TIMER);
        if (settings.isSet(StandardSocketOptions.IP_TOS)) {
            id.option(ConnectionOption.TYPE_OF_SERVICE, settings.get(StandardSocketOptions.IP_TOS));
        }
    }

    static QueuePair create(ConnectionId id, CompletionQueue cq, StreamSettings sizes, SocketSettings settings) {
        return id.createQueuePair(QueuePairOptions.rc(cq)
                .sendRequests(sizes.sendRequests())
                .receiveRequests(sizes.receives())
                .scatterGather(1, 1)
                .inlineBytes(settings.get(RdmaSocketOptions.RDMA_INLINE)));
    }

    static ConnectionParameters parameters(ConnectionData offer) {
        return ConnectionParameters.DEFAULT
                .withReads(0, 0)
                .withRetries(RETRIES, RNR_FOR_EVER)
                .withPrivateData(offer.encode());
    }
}
