package io.verbena.soft.shm;

import io.verbena.soft.engine.NanoClock;
import io.verbena.soft.qp.SoftQueuePair;
import java.lang.invoke.VarHandle;

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
    /// Whether something came since the last look around.
    private boolean heard = true;

    private boolean quiet;
    private SoftQueuePair owner;

    SharedLink(Inbox inbox, Lane lane, PeerDevice peer, int qpNumber) {
        this.inbox = inbox;
        this.lane = lane;
        this.peer = peer;
        this.qpNumber = qpNumber;
    }

    /// Whose packets they are.
    public SoftQueuePair owner() {
        return owner;
    }

    public void owner(SoftQueuePair qp) {
        owner = qp;
    }

    public void onHeard() {
        heard = true;
    }

    boolean isQuiet() {
        return quiet;
    }

    /// From now on the inbox is looked at each time.
    void listen() {
        quiet = false;
        heard = true;
        inbox.quiet(false);
    }

    /// Nobody looks at the inbox from now on unless it is told to; false when something came lately.
    boolean fallQuiet() {
        if (heard) {
            heard = false;
            return false;
        }
        inbox.quiet(true);
        // Who puts packets there does it the other way round.
        VarHandle.fullFence();
        if (inbox.hasNews()) {
            inbox.quiet(false);
            return false;
        }
        quiet = true;
        return true;
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
        Sharing.awaitQuiet(this, NanoClock.SYSTEM.nowNs(), Sharing.LONGEST_BUSY_OF_OWNER_NS);
    }

    /// The region that a reference of the peer names, or null when it is closed.
    public PeerRegion referenced(int slot, long registration) {
        return slot < 0 || slot >= DeviceLayout.REGIONS ? null : peer.regionIn(slot, registration);
    }
}
