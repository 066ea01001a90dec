package io.verbena.soft.local;

import io.verbena.soft.os.SealedMemory;
import io.verbena.verbs.attr.Gid;

/// The two lanes of a connection: this queue pair's own, and the peer's once it is there.
public final class LocalLink {
    /// What has become of the peer's lane.
    public enum Attachment {
        /// The peer is not so far.
        WAITING,
        ATTACHED,
        /// The peer goes over the network.
        NETWORK
    }

    private final Gid gid;
    private final int qpNumber;
    private final OwnLane own;
    private final PeerDevice peer;
    private final int peerQp;
    private PeerLane lane;
    /// A lane of the peer's that is not for this connection, such as an earlier one's: no need to map it again.
    private long othersLane;

    long newsSeen;

    LocalLink(Gid gid, int qpNumber, OwnLane own, PeerDevice peer, int peerQp) {
        this.gid = gid;
        this.qpNumber = qpNumber;
        this.own = own;
        this.peer = peer;
        this.peerQp = peerQp;
    }

    public OwnLane own() {
        return own;
    }

    /// The peer's lane; null until [#attach] found it.
    public PeerLane lane() {
        return lane;
    }

    public PeerDevice peer() {
        return peer;
    }

    int qpNumber() {
        return qpNumber;
    }

    /// Looks for the peer's lane.
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
                tellPeer();
                return true;
            }
        }
        othersLane = nonce;
        opened.close();
        return false;
    }

    /// Changes when this side did something in the lanes.
    long motion() {
        return own.motion() + (lane == null ? 0 : 1 + lane.motion());
    }

    /// Makes the peer's engine look at its end of the connection.
    public void tellPeer() {
        peer.tellEngine(peerQp);
    }

    /// Once the peer has mapped the lane, nobody else need find it.
    public void closeDescriptorIfAttached() {
        if (own.isAttached()) {
            own.shared().closeDescriptor();
        }
    }

    /// Only when no thread can be inside.
    void close() {
        own.close();
        if (lane != null) {
            lane.close();
            lane = null;
        }
    }
}
