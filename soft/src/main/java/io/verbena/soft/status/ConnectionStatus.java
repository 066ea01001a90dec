package io.verbena.soft.status;

import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.attr.QueuePairType;

/// A queue pair, read while other threads use it: each number is right by itself, but they may be of slightly different
/// moments.
///
/// @param number the number of the queue pair
/// @param shard the shard that it belongs to
/// @param peer the address of the peer; zeros when there is none
/// @param peerNumber the number of the peer's queue pair
/// @param localPort the port of the connection manager's id; 0 for a queue pair without one
/// @param peerPort that of the peer
/// @param sendCapacity how many send requests may be outstanding
/// @param outstanding send requests that are posted and not retired
/// @param receiveCapacity how many receives may be posted; that of the shared receive queue, if it has one
/// @param postedReceives receives that wait for messages, in its own queue or in the shared one
/// @param sharesReceives whether it takes receives from a shared receive queue
/// @param waitsForReceiver whether the peer had no receive, so that the requests wait for the RNR timer
/// @param retired send requests that are finished
/// @param messagesSent requests that were sent: over UDP those that are finished, through shared memory the entries
/// @param messagesReceived receives that are finished; -1 with a shared receive queue, which does not count them by
/// queue pair
/// @param sendPsn the packet sequence number to be sent next, 24 bits; -1 without packets
/// @param receivePsn the one that is expected next
/// @param retransmissions packets that were sent again
/// @param timeouts how often the peer acknowledged nothing in time
/// @param rnrReceived how often the peer had no receive
/// @param rnrSent how often this side had none
/// @param ageNs time since it was connected; since it was made, if it is not connected yet
/// @param lastBytes the length of the request that was posted last
public record ConnectionStatus(
        int number,
        int shard,
        QueuePairType type,
        QueuePairState state,
        ConnectionPath path,
        Gid peer,
        int peerNumber,
        int localPort,
        int peerPort,
        int sendCapacity,
        long outstanding,
        int receiveCapacity,
        long postedReceives,
        boolean sharesReceives,
        boolean waitsForReceiver,
        long retired,
        long messagesSent,
        long messagesReceived,
        int sendPsn,
        int receivePsn,
        long retransmissions,
        long timeouts,
        long rnrReceived,
        long rnrSent,
        long ageNs,
        long lastBytes) {
    /// No packets, no sequence number.
    public static final int NO_PSN = -1;
}
