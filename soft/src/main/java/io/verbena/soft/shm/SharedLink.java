package io.verbena.soft.shm;

import io.verbena.soft.engine.NanoClock;
import io.verbena.soft.os.AsymmetricFence;
import io.verbena.soft.qp.SoftQueuePair;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.locks.LockSupport;

/// Both directions of a connection through shared memory. Owned by the engine.
public final class SharedLink {
    private static final Logger LOG = System.getLogger(SharedLink.class.getName());

    /// How long the engine's owner waits for a peer that is at this device's memory.
    private static final long LONGEST_OF_OWNER_NS = 200_000_000L;

    private static final long NAP_NS = 50_000;
    private static final int SPINS = 10_000;

    private final Inbox inbox;
    private final Lane lane;
    final PeerDevice peer;
    final int qpNumber;
    /// Whether something came since the last look around.
    private boolean heard = true;

    private boolean quiet;
    private boolean asked;
    private boolean lost;
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

    /// Asks the peer to tell when it puts something into the inbox; false when something came lately. To be followed by
    /// a heavy fence, and [#fallQuiet].
    boolean askForNews() {
        asked = !heard;
        heard = false;
        if (asked) {
            inbox.quiet(true);
        }
        return asked;
    }

    /// Nobody looks at the inbox from now on unless it is told to; false when something came before the peer knew.
    boolean fallQuiet() {
        if (asked && inbox.hasNews()) {
            inbox.quiet(false);
            asked = false;
        }
        quiet = asked;
        return quiet;
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

    /// Mends what was cut of its files. True, once, when that was something, or `cut` says so.
    boolean isLost(boolean cut) {
        boolean any = inbox.mend() | lane.mend() | peer.mend() | cut;
        boolean news = any && !lost;
        lost |= any;
        return news;
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
        AsymmetricFence.rareSideOnHost();
        awaitQuiet(NanoClock.SYSTEM.nowNs() + LONGEST_OF_OWNER_NS);
    }

    void awaitQuiet(long endNs) {
        for (int turn = 0; inbox.isPeerBusy() && !peer.isGone(); turn++) {
            if (turn < SPINS) {
                Thread.onSpinWait();
                continue;
            }
            peer.findGone();
            LockSupport.parkNanos(NAP_NS);
            if (NanoClock.SYSTEM.nowNs() - endNs > 0) {
                LOG.log(
                        Level.WARNING,
                        "the peer of QP 0x%x does not leave memory that is being closed; is it stopped? Let it go on, or end it"
                                .formatted(qpNumber));
                return;
            }
        }
    }

    /// The region that the packet in hand, whose payload would begin at `at`, names in its place; null when it names
    /// none, or one that is closed, or bytes beyond its end. Which bytes the inbox tells.
    public PeerRegion referenced(long at) {
        inbox.readReference(at);
        int slot = inbox.referencedSlot();
        if (slot < 0 || slot >= DeviceLayout.REGIONS) {
            return null;
        }
        PeerRegion region = peer.regionIn(slot, inbox.referencedRegistration());
        boolean fits = region != null && region.contains(inbox.referencedOffset(), inbox.referencedBytes());
        return fits ? region : null;
    }
}
