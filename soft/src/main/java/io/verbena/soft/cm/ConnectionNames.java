package io.verbena.soft.cm;

import io.verbena.verbs.attr.Gid;

/// The identifiers of a connection: a communication id from each side, the peer's address, its GUID and its queue pair.
/// Updates the agent's tables.
final class ConnectionNames {
    private final CmConnection connection;
    private final CmAgent agent;
    private int localId;
    private int remoteId;
    private int remoteQpn;
    private long peerHigh;
    private long peerLow;
    private RemoteKey remoteIdKey;
    private RemoteKey remoteQpKey;
    private boolean isHalfOpen;

    ConnectionNames(CmConnection connection, CmAgent agent) {
        this.connection = connection;
        this.agent = agent;
    }

    int localId() {
        return localId;
    }

    /// 0 while the peer has not told it.
    int remoteId() {
        return remoteId;
    }

    int remoteQpn() {
        return remoteQpn;
    }

    RemoteKey request() {
        return remoteIdKey;
    }

    boolean isFrom(long sourceHigh, long sourceLow) {
        return peerHigh == sourceHigh && peerLow == sourceLow;
    }

    boolean isWith(int commId) {
        return remoteId == commId && commId != 0;
    }

    boolean isWithOrUnknown(int commId) {
        return commId != 0 && (remoteId == commId || remoteId == 0);
    }

    Gid peer() {
        return new Gid(peerHigh, peerLow);
    }

    void peer(long high, long low) {
        peerHigh = high;
        peerLow = low;
    }

    /// Takes a fresh number for this side; the one before, if any, is not recognised any more.
    void renewLocalId() {
        agent.tables().removeLocal(localId);
        localId = agent.addLocal(connection);
    }

    void remoteId(int commId) {
        remoteId = commId;
    }

    /// Whether another connection holds that queue pair of the peer.
    boolean isTaken(int qpn, long guid) {
        return agent.tables().byRemoteQp(new RemoteKey(qpn, guid, peerHigh, peerLow)) != null;
    }

    void claimRemote(int commId, int qpn, long guid) {
        remoteId = commId;
        remoteQpn = qpn;
        remoteIdKey = new RemoteKey(commId, guid, peerHigh, peerLow);
        remoteQpKey = new RemoteKey(qpn, guid, peerHigh, peerLow);
        agent.tables().addRemote(connection, remoteIdKey, remoteQpKey);
    }

    /// The peer asked for the connection.
    void beginOpening() {
        isHalfOpen = true;
        agent.halfOpen().add(peerHigh, peerLow);
    }

    /// The connection is established, or the attempt failed.
    void endOpening() {
        if (isHalfOpen) {
            isHalfOpen = false;
            agent.halfOpen().remove(peerHigh, peerLow);
        }
    }

    /// The peer may use its queue pair for another connection.
    void releaseQueuePair() {
        if (remoteQpKey != null) {
            agent.tables().removeRemoteQp(connection, remoteQpKey);
        }
    }

    void release() {
        endOpening();
        releaseQueuePair();
        if (remoteIdKey != null) {
            agent.tables().removeRemoteId(connection, remoteIdKey);
        }
        agent.tables().removeLocal(localId);
        agent.onChange();
    }
}
