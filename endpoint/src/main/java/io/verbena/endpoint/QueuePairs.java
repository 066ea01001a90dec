package io.verbena.endpoint;

import io.verbena.verbs.Errno;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionParameters;

/// The queue pairs of connections: how large their queues are, and what the two sides tell each other about them.
final class QueuePairs {
    /// Receives beyond the credits, for messages of the protocol that need none: two that return credits, one each of
    /// FIND, its answer, REVOKE and REVOKED, two END, and DONE for each long message.
    private static final int CONTROL_RECEIVES = 8 + LongMessages.MOST_ANNOUNCED;

    /// What to ask a device for; some have less room in their requests.
    private static final int[] INLINE_BYTES = {256, 64, 0};

    private QueuePairs() {}

    /// The receives that a connection needs.
    static int receives(EndpointOptions options) {
        return options.credits() + CONTROL_RECEIVES;
    }

    private static int sends(EndpointOptions options) {
        return options.sendRequests() + PostedRequests.EXTRA_REQUESTS;
    }

    /// The completions that a connection can have at once.
    static int completions(EndpointOptions options) {
        return ReceiveBuffers.room(receives(options)) + sends(options);
    }

    /// Makes room for a connection.
    static void reserve(HubResources resources, EndpointOptions options) {
        if (!resources.reserve()) {
            throw new RdmaException(
                    "make room for a connection",
                    Errno.ENOMEM,
                    "the device has no queues for %d receives and %d completions; lower the credits or the send requests"
                            .formatted(receives(options), completions(options)));
        }
    }

    /// Makes the queue pair of an id.
    static QueuePair create(ConnectionId id, HubResources resources, EndpointOptions options) {
        QueuePairOptions wanted = QueuePairOptions.rc(resources.completionQueue())
                .sendRequests(sends(options))
                .receiveRequests(resources.sharedReceives() == null ? ReceiveBuffers.room(receives(options)) : 0)
                .scatterGather(1, 1)
                .sharedReceiveQueue(resources.sharedReceives());
        RdmaException refused = null;
        for (int inline : INLINE_BYTES) {
            try {
                return id.createQueuePair(wanted.inlineBytes(inline));
            } catch (RdmaException e) {
                if (e.errno() != Errno.EINVAL) {
                    throw e;
                }
                refused = e;
            }
        }
        throw refused;
    }

    /// What the peer is told.
    static ConnectionParameters parameters(EndpointOptions options) {
        return ConnectionParameters.DEFAULT.withPrivateData(
                new Handshake(options.credits(), options.bufferBytes(), LongMessages.MOST_ANNOUNCED).encode());
    }
}
