package io.verbena.soft.shm;

import io.verbena.soft.engine.NanoClock;
import io.verbena.soft.net.AddressText;
import io.verbena.soft.net.Wire;
import io.verbena.soft.os.AsymmetricFence;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.spi.Availability;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// A device's part of the memory that the processes of one user on one host share: what it shows, which neighbours it
/// knows, and which of its connections go this way. Owned by the engine unless said.
public final class Sharing {
    private static final Logger LOG = System.getLogger(Sharing.class.getName());
    /// How long closing a region waits for a neighbour that is at it. One that takes longer is stopped, not slow.
    private static final long LONGEST_BUSY_NS = 5_000_000_000L;

    /// So few are looked at each time, however quiet they are.
    private static final int FEW = 8;

    private static final SharedLink[] NONE = {};

    /// Inboxes and regions of all devices of this process lie in one folder.
    private static final AtomicLong IDS = new AtomicLong();

    private final SharedFolder folder;
    private final PathOption option;
    private final Gid own;
    private final String key;
    private final Bell bell;
    private final DeviceFile device;
    private final Neighbours neighbours;
    private volatile SharedLink[] links = {};
    /// Those that are looked at each time. Of many connections most say nothing for long: these are left out.
    private volatile SharedLink[] lookedAt = {};

    private volatile long newsSeen;
    private Lane[] touched = new Lane[16];
    private int touchedCount;
    private volatile boolean asleep;

    private Sharing(SharedFolder folder, PathOption option, InetAddress local, Wire wire) {
        this.folder = folder;
        this.option = option;
        this.own = Gid.of(local);
        this.key = Neighbours.key(own);
        this.neighbours = new Neighbours(folder);
        String name = "device-" + own.toString().replace(':', '.');
        bell = folder.createBell(Neighbours.bellName(name));
        try {
            device = new DeviceFile(folder.create(name, DeviceLayout.BYTES));
        } catch (RuntimeException e) {
            bell.close();
            throw e;
        }
        try {
            folder.announce(key, name);
        } catch (RuntimeException e) {
            device.close();
            bell.close();
            throw e;
        }
        wire.listenTo(bell);
    }

    /// Null when the device's connections all go over the network: because that was asked for, or because the
    /// system has nothing else.
    ///
    /// @param found is told whether there is shared memory, and if not, why
    public static Sharing open(InetAddress local, Wire wire, Consumer<Availability> found) {
        PathOption option = PathOption.current();
        Availability availability = Obstacle.of(option, wire);
        found.accept(availability);
        if (!availability.isAvailable()) {
            if (option == PathOption.SHARED) {
                throw Obstacle.failure(local, availability);
            }
            return null;
        }
        try {
            return new Sharing(SharedFolder.ofThisProcess(), option, local, wire);
        } catch (RdmaException e) {
            if (option == PathOption.SHARED) {
                throw e;
            }
            found.accept(Obstacle.of(e));
            LOG.log(Level.DEBUG, () -> AddressText.of(local) + " has no shared memory: " + e.getMessage());
            return null;
        }
    }

    static String inboxName(long id) {
        return "inbox-" + id;
    }

    static String regionName(long id) {
        return "region-" + id;
    }

    // ---- queue pairs ----

    public void show(int qpNumber) {
        device.show(qpNumber);
    }

    public void hide(int qpNumber) {
        device.hide(qpNumber);
    }

    /// The way to a queue pair of a neighbour, or null when it goes over the network. Both ends come to the same
    /// result: each sees whether the other shows itself, which queue pairs do from their making to their end.
    public SharedLink connect(int qpNumber, long peerHigh, long peerLow, int peerQp, int firstPsn) {
        PeerDevice peer = device.shows(qpNumber) ? neighbours.find(new Gid(peerHigh, peerLow)) : null;
        if (peer == null || !peer.shows(peerQp)) {
            if (option == PathOption.SHARED) {
                throw new RdmaException(
                        "connect QP 0x%x".formatted(qpNumber),
                        Errno.EHOSTUNREACH,
                        ("QP 0x%x of %s has no shared memory with this one: it is of another host or user, not of a"
                                        + " software device, or goes over UDP; set %s to auto (--path auto)")
                                .formatted(
                                        peerQp,
                                        AddressText.of(new Gid(peerHigh, peerLow).address()),
                                        PathOption.PROPERTY));
            }
            return null;
        }
        Inbox inbox = createInbox(qpNumber, peer, peerQp);
        if (inbox == null) {
            return null;
        }
        inbox.meantFor(peerHigh, peerLow, peerQp, firstPsn);
        device.inbox(qpNumber, inbox.id());
        if (!peer.shows(peerQp) && option != PathOption.SHARED) {
            // It had no room for an inbox meanwhile; see there.
            device.inbox(qpNumber, 0);
            inbox.close();
            return null;
        }
        Lane lane = new Lane(this, peer, peerQp, own.high(), own.low(), qpNumber);
        neighbours.retain(peer);
        SharedLink link = new SharedLink(inbox, lane, peer, qpNumber);
        add(link);
        return link;
    }

    /// Null when there is no room: then the queue pair shows itself no more, so that its peer takes to the
    /// network, too. Either the peer sees that after it has shown its own inbox, or its inbox is seen here.
    private Inbox createInbox(int qpNumber, PeerDevice peer, int peerQp) {
        long id = IDS.incrementAndGet();
        try {
            return new Inbox(folder.create(inboxName(id), InboxLayout.BYTES), id);
        } catch (RdmaException noRoom) {
            device.hide(qpNumber);
            if (option == PathOption.SHARED || peer.expects(peerQp, own.high(), own.low(), qpNumber)) {
                throw noRoom;
            }
            LOG.log(Level.DEBUG, () -> "QP 0x%x goes over the network: %s".formatted(qpNumber, noRoom.getMessage()));
            return null;
        }
    }

    private void add(SharedLink link) {
        links = with(links, link);
        lookedAt = with(lookedAt, link);
    }

    private static SharedLink[] with(SharedLink[] some, SharedLink one) {
        SharedLink[] more = Arrays.copyOf(some, some.length + 1);
        more[some.length] = one;
        return more;
    }

    private static SharedLink[] without(SharedLink[] some, Predicate<SharedLink> what) {
        return Arrays.stream(some).filter(what.negate()).toArray(SharedLink[]::new);
    }

    /// Not while packets of this very link are being taken.
    public void disconnect(SharedLink link) {
        device.inbox(link.qpNumber, 0);
        links = without(links, other -> other == link);
        lookedAt = without(lookedAt, other -> other == link);
        if (link.lane().touched) {
            flush();
        }
        link.lane().close();
        link.inbox().close();
        neighbours.release(link.peer);
    }

    /// All connections that go this way. From any thread.
    public SharedLink[] links() {
        return links;
    }

    // ---- regions ----

    /// Memory that neighbours can reach; null when there is none. From any thread.
    public SharedRegion allocate(long bytes) {
        long id = IDS.incrementAndGet();
        try {
            return new SharedRegion(id, folder.create(regionName(id), bytes));
        } catch (RdmaException noRoom) {
            LOG.log(Level.DEBUG, () -> "a region that neighbours cannot reach by themselves: " + noRoom.getMessage());
            return null;
        }
    }

    /// Neighbours may reach it from now on.
    public void show(SharedRegion region, int key, int access, long address, long length, int domain) {
        region.registration = device.show(key, access, address, length, region.id, domain);
        region.key = key;
    }

    /// Which slot names the region to neighbours, or -1 when none does.
    public int slotOf(SharedRegion region) {
        return region.registration == 0 ? -1 : DeviceLayout.regionSlot(region.key);
    }

    /// Neighbours do not begin to use it any more; [#awaitQuiet] for those that have.
    public void hide(SharedRegion region) {
        if (region.registration != 0) {
            device.hideRegion(region.key, region.registration);
            region.registration = 0;
        }
    }

    /// Waits until no neighbour is at this device's memory. From any thread, not as owner of the engine: it may take as
    /// long as a large copy takes.
    public void awaitQuiet() {
        long endNs = NanoClock.SYSTEM.nowNs() + LONGEST_BUSY_NS;
        AsymmetricFence.rareSideOnHost();
        for (SharedLink link : links) {
            link.awaitQuiet(endNs);
        }
    }

    // ---- sleeping and waking ----

    void onTouched(Lane lane) {
        if (touchedCount == touched.length) {
            touched = Arrays.copyOf(touched, touchedCount * 2);
        }
        touched[touchedCount++] = lane;
    }

    /// Wakes the peers of lanes that packets were put into, where they sleep.
    public void flush() {
        while (touchedCount > 0) {
            touched[--touchedCount].wakePeer();
            touched[touchedCount] = null;
        }
    }

    /// Whether packets have arrived. From any thread.
    public boolean hasNews() {
        for (SharedLink link : lookedAt) {
            if (link.inbox().hasNews()) {
                return true;
            }
        }
        try {
            return device.news() != newsSeen;
        } catch (InternalError cut) {
            return true; // the engine's owner finds out
        }
    }

    /// A fault at memory says that somebody cut a file. Mends what was cut, and tells which connections are lost by
    /// that.
    public SharedLink[] mend() {
        boolean all = device.mend();
        return Arrays.stream(links).filter(link -> link.isLost(all)).toArray(SharedLink[]::new);
    }

    /// Connections that may have something: those that are looked at each time, and quiet ones that have news.
    public SharedLink[] lookedAt() {
        long news = device.news();
        if (news != newsSeen) {
            newsSeen = news;
            for (SharedLink link : links) {
                if (link.isQuiet() && link.inbox().hasNews()) {
                    link.listen();
                    lookedAt = with(lookedAt, link);
                }
            }
        }
        return lookedAt;
    }

    private void leaveOutQuiet() {
        boolean any = false;
        for (SharedLink link : links.length > FEW ? lookedAt : NONE) {
            any |= link.askForNews();
        }
        if (any) {
            // Who puts packets there does it the other way round.
            AsymmetricFence.rareSideOnHost();
            lookedAt = without(lookedAt, SharedLink::fallQuiet);
        }
    }

    /// From any thread: nobody looks into the inboxes from now on, so peers must ring. False when news came meanwhile.
    public boolean fallAsleep() {
        asleep = true;
        device.asleep(true);
        // Who puts packets there does it the other way round.
        AsymmetricFence.rareSideOnHost();
        if (hasNews()) {
            wakeUp();
            return false;
        }
        return true;
    }

    /// From any thread: somebody looks again. True when nobody did.
    public boolean wakeUp() {
        if (!asleep) {
            return false;
        }
        asleep = false;
        device.asleep(false);
        return true;
    }

    /// Looks which neighbours have ended, and frees what is not needed any more. True when one has that a connection
    /// still goes to.
    public boolean lookAround() {
        leaveOutQuiet();
        return neighbours.lookAround();
    }

    public void close() {
        try {
            folder.withdraw(key);
        } catch (RdmaException e) {
            // Who follows the announcement finds no device.
            LOG.log(Level.DEBUG, () -> "announcement " + key + " stays: " + e.getMessage());
        }
        for (SharedLink link : links) {
            disconnect(link);
        }
        neighbours.close();
        device.close();
        bell.close();
    }
}
