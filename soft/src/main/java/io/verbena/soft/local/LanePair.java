package io.verbena.soft.local;

import io.verbena.soft.os.SealedMemory;
import io.verbena.verbs.attr.Gid;

/// The two lanes of a connection: this queue pair's own lane, and the peer's once it exists.
public final class LanePair {
    /// The result of looking for the peer's lane.
    public enum Attachment {
        /// The peer has no lane yet.
        WAITING,
        ATTACHED,
        /// The peer takes the network.
        NETWORK
    }

    private final Gid gid;
    private final int qpNumber;
    private final OwnLane own;
    private final PeerDevice peer;
    private final int peerQp;
    private PeerLane lane;
    /// The nonce of a lane of the peer that is not for this connection, but for example for an earlier one. It need not
    /// be mapped again.
    private long othersLane;

    long newsSeen;

    LanePair(Gid gid, int qpNumber, OwnLane own, PeerDevice peer, int peerQp) {
        this.gid = gid;
        this.qpNumber = qpNumber;
        this.own = own;
        this.peer = peer;
        this.peerQp = peerQp;
    }

    public OwnLane ownLane() {
        return own;
    }

    /// The peer's lane; null until [#attach] found it.
    public PeerLane peerLane() {
        return lane;
    }

    public PeerDevice peer() {
        return peer;
    }

    int qpNumber() {
        return qpNumber;
    }

    /// Finds the peer's lane and attaches to it.
    public Attachment attach(int sendQueueSlot) {
        if (lane != null) {
            return Attachment.ATTACHED;
        }
        if (peer.isGone()) {
            return Attachment.WAITING;
        }
        return switch (peer.pathOf(peerQp)) {
            case NETWORK -> Attachment.NETWORK;
            case LOCAL -> open(sendQueueSlot) ? Attachment.ATTACHED : Attachment.WAITING;
            default -> Attachment.WAITING;
        };
    }

    private boolean open(int sendQueueSlot) {
        long nonce = peer.laneOf(peerQp);
        SealedMemory opened = nonce == 0 || nonce == othersLane ? null : peer.openLane(peerQp, nonce);
        if (opened == null) {
            return false;
        }
        if (PeerLane.isMeantFor(opened, gid.high(), gid.low(), qpNumber)) {
            PeerLane found = new PeerLane(opened, peer);
            if (found.attach(sendQueueSlot)) {
                lane = found;
                notifyPeer();
                return true;
            }
        }
        othersLane = nonce;
        opened.close();
        return false;
    }

    /// Changes when this side writes to the lanes.
    long activity() {
        return own.activity() + (lane == null ? 0 : 1 + lane.activity());
    }

    /// Makes the peer's engine check its end of the connection.
    public void notifyPeer() {
        peer.notifyEngine(peerQp);
    }

    /// Once the peer has mapped the lane, no other process needs its descriptor.
    public void closeDescriptorIfAttached() {
        if (own.isAttached()) {
            own.shared().closeDescriptor();
        }
    }

    /// Only when no thread can access the lanes.
    void close() {
        own.close();
        if (lane != null) {
            lane.close();
            lane = null;
        }
    }
}
