package io.verbena.soft.shm;

/// Both directions of a connection through shared memory. Owned by the engine.
public final class SharedLink {
    /// Where a packet by reference tells, in place of its payload, where that lies.
    public static final int REFERENCE_SLOT = InboxLayout.REFERENCE_SLOT;

    public static final int REFERENCE_LENGTH = InboxLayout.REFERENCE_LENGTH;
    public static final int REFERENCE_REGISTRATION = InboxLayout.REFERENCE_REGISTRATION;
    public static final int REFERENCE_OFFSET = InboxLayout.REFERENCE_OFFSET;
    public static final int REFERENCE_BYTES = InboxLayout.REFERENCE_BYTES;

    private final Inbox inbox;
    private final Lane lane;
    final PeerDevice peer;
    final int qpNumber;

    SharedLink(Inbox inbox, Lane lane, PeerDevice peer, int qpNumber) {
        this.inbox = inbox;
        this.lane = lane;
        this.peer = peer;
        this.qpNumber = qpNumber;
    }

    public Inbox inbox() {
        return inbox;
    }

    public Lane lane() {
        return lane;
    }

    /// Whether the peer's process has ended.
    public boolean isPeerGone() {
        return peer.isGone();
    }

    /// Tells the peer what it may do to this side's memory by itself.
    ///
    /// @param accepting whether requests are served at all
    /// @param access the rights that the queue pair gives
    public void tell(boolean accepting, int access, int domain) {
        inbox.tell(accepting, access, domain);
    }

    /// Waits until the peer is not at this device's memory, which it does not enter any more after it was told so. By
    /// the engine's owner, so not for long: a peer that is stopped right there must not stop the other connections.
    public void awaitQuiet() {
        Sharing.awaitQuiet(this, System.nanoTime(), Sharing.LONGEST_BUSY_OF_OWNER_NS);
    }

    /// The region that a reference of the peer names, or null when it is closed.
    public PeerRegion referenced(int slot, long registration) {
        return slot < 0 || slot >= DeviceLayout.REGIONS ? null : peer.regionIn(slot, registration);
    }
}
