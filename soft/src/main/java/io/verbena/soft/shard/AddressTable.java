package io.verbena.soft.shard;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.verbena.soft.limit.NumberSequence;
import io.verbena.soft.os.NanoClock;
import io.verbena.soft.os.OwnerLock;
import io.verbena.soft.os.SocketCalls;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/// Changes the [AddressPage] of an address, one process at a time, and gives the kernel the program that follows from
/// it. A process that ends in the middle of a change leaves the rest to whoever notices its end ([#removeEnded]).
///
/// Whoever holds a shard holds a lock of the system on it, which ends with its process. Safe from any thread.
final class AddressTable implements AutoCloseable {
    private static final int UDP = 17;
    private static final int UDP_GRO = 104;
    private static final MemorySegment ON = Arena.global().allocateFrom(JAVA_INT, 1);
    private static final MemorySegment OFF = Arena.global().allocateFrom(JAVA_INT, 0);

    /// Byte 0 is the lock of the page, and the others are those of the shards.
    private static final int PAGE = 0;

    private static final long LONGEST_WAIT_NS = 20_000_000_000L;
    private static final long PAUSE_NS = 100_000;

    private final String address;
    private final AddressPage page;
    private final OwnerLock locks;
    private final Steering steering;
    private final int[] fds;
    private final boolean isLoopback;

    /// For the threads of this process, which the lock of the page does not keep apart.
    private final ReentrantLock changing = new ReentrantLock();

    /// A bit for each shard that was claimed here.
    private long own;

    AddressTable(String address, AddressSockets sockets) {
        this.address = address;
        this.page = sockets.page();
        this.locks = new OwnerLock(sockets.shared().fd());
        this.fds = sockets.fds();
        this.steering = new Steering(address, sockets);
        this.isLoopback = InetAddress.ofLiteral(address).isLoopbackAddress();
    }

    /// @throws RdmaException `EADDRINUSE` when the page was made by another version
    void requireVersion() {
        if (!page.isOfThisVersion()) {
            throw otherVersion(address);
        }
    }

    static RdmaException otherVersion(String address) {
        return new RdmaException(
                "open soft device " + address,
                Errno.EADDRINUSE,
                "the processes that have this address open run another version of Verbena; end them, run the same"
                        + " version, or use another address of this host");
    }

    private static int lockOf(int shard) {
        return 1 + shard;
    }

    /// The number of a shard that is the caller's from now on. Those that gave the fewest numbers come first.
    ///
    /// @throws RdmaException `EBUSY` when all are held
    int claim(RandomGenerator random) {
        return claim(random, 1);
    }

    /// As [#claim], of a device that has one already: half of the shards are left to others.
    int claimFurther(RandomGenerator random) {
        return claim(random, AddressPage.SHARDS / 2);
    }

    private int claim(RandomGenerator random, int leastFree) {
        return locked(() -> {
            clearEnded();
            int shard = AddressPage.SHARDS - held() < leastFree ? -1 : leastUsed();
            if (shard < 0 || !locks.tryLock(lockOf(shard))) {
                throw new RdmaException(
                        "open soft device " + address,
                        Errno.EBUSY,
                        "%d of the address's %d shards are held, by processes that have it open; close some, or use another"
                                        .formatted(held(), AddressPage.SHARDS)
                                + " address of this host");
            }
            if (page.seed(shard) == 0) {
                page.seed(shard, random.nextLong() | 1);
            }
            own |= 1L << shard;
            page.pid(shard, ProcessHandle.current().pid());
            try {
                steering.update();
            } catch (RdmaException e) {
                drop(shard);
                throw e;
            }
            if (isLoopback) {
                setCoalescing(fds[shard], false); // the shard's last holder may have set it
            } else {
                setCoalescing(false); // as may others that had the address alone
            }
            return shard;
        });
    }

    private int leastUsed() {
        int best = -1;
        for (int shard = 0; shard < AddressPage.SHARDS; shard++) {
            if (page.pid(shard) == 0 && (best < 0 || page.count(shard) < page.count(best))) {
                best = shard;
            }
        }
        return best;
    }

    /// Goes on where the shard's last holder was, so that no number comes again soon.
    ShardNumbers numbers(int shard) {
        NumberSequence sequence = new NumberSequence(
                ShardNumbers.QP_BITS, new SplittableRandom(page.seed(shard)), () -> page.nextCount(shard));
        return ShardNumbers.of(shard, sequence);
    }

    void release(int shard) {
        locked(() -> {
            drop(shard);
            steering.update();
            return null;
        });
    }

    /// Without the lock of the page, which cannot be had: leaves the shard to whoever cleans up next.
    void abandon(int shard) {
        changing.lock();
        try {
            own &= ~(1L << shard);
            locks.unlock(lockOf(shard));
        } finally {
            changing.unlock();
        }
    }

    private void drop(int shard) {
        clear(shard);
        own &= ~(1L << shard);
        locks.unlock(lockOf(shard));
    }

    /// Takes the shards and ports of ended processes back.
    void removeEnded() {
        locked(() -> {
            clearEnded();
            if (page.isChanged()) {
                steering.update();
            }
            return null;
        });
    }

    /// A lock that can be had shows that its holder has ended. The own ones could be had, too.
    private void clearEnded() {
        for (int shard = 0; shard < AddressPage.SHARDS; shard++) {
            boolean isOwn = (own & 1L << shard) != 0;
            if (page.pid(shard) != 0 && !isOwn && locks.tryLock(lockOf(shard))) {
                clear(shard);
                locks.unlock(lockOf(shard));
            }
        }
    }

    private void clear(int shard) {
        page.pid(shard, 0);
        page.clearListeners(shard);
    }

    // ---- listeners ----

    /// False when another process listens there.
    boolean listen(long serviceId, int shard) {
        return locked(() -> {
            if (!isFree(serviceId, shard)) {
                clearEnded();
            }
            if (!isFree(serviceId, shard)) {
                return false;
            }
            if (page.listener(serviceId) == shard) {
                return true;
            }
            int remembered = page.remembered(serviceId);
            if (!page.listen(serviceId, shard)) {
                throw new RdmaException(
                        "share " + address, Errno.ENOMEM, "its processes listen on too many ports; close some");
            }
            try {
                steering.update();
            } catch (RdmaException e) {
                page.restore(serviceId, remembered);
                throw e;
            }
            return true;
        });
    }

    /// Requests that are repeated go on coming here, since this shard knows what became of them.
    void stopListening(long serviceId, int shard) {
        page.stopListening(serviceId, shard);
    }

    /// Whether no other shard listens.
    boolean isFree(long serviceId, int shard) {
        int listener = page.listener(serviceId);
        return listener < 0 || listener == shard;
    }

    // ---- what is known ----

    int held() {
        return page.held();
    }

    boolean isShared() {
        return page.held() > 1;
    }

    /// The process of each shard that is held.
    Map<Integer, Long> holders() {
        Map<Integer, Long> holders = new TreeMap<>();
        for (int shard = 0; shard < AddressPage.SHARDS; shard++) {
            if (page.pid(shard) != 0) {
                holders.put(shard, page.pid(shard));
            }
        }
        return holders;
    }

    /// Whether a process holds a shard that is none of these.
    boolean isHeldByOthersThan(Set<Long> pids) {
        return !pids.containsAll(holders().values());
    }

    // ---- joining of packets ----

    /// Whether the kernel joins only packets of one shard: when there is one only, and at loopback addresses, where it
    /// joins nothing and delivers trains as they were sent.
    boolean mayCoalesce() {
        return isLoopback || !isShared();
    }

    /// Lets the kernel join packets that arrive together, or ends that. Of all sockets, because the kernel asks any of
    /// them before it knows which one a packet is for; at loopback addresses of one. False unless [#mayCoalesce], or
    /// when another process changes something just now.
    boolean coalesce(int shard, boolean on) {
        if (isLoopback) {
            return setCoalescing(fds[shard], on);
        }
        if (!changing.tryLock()) {
            return false;
        }
        try {
            if (!locks.tryLock(PAGE)) {
                return false;
            }
            try {
                return !isShared() && setCoalescing(on);
            } finally {
                locks.unlock(PAGE);
            }
        } finally {
            changing.unlock();
        }
    }

    private boolean setCoalescing(boolean on) {
        boolean set = true;
        for (int fd : fds) {
            set &= setCoalescing(fd, on);
        }
        return set;
    }

    private static boolean setCoalescing(int fd, boolean on) {
        return SocketCalls.setIntOption(fd, UDP, UDP_GRO, (on ? ON : OFF).address()) == 0;
    }

    // ---- the lock of the page ----

    private <T> T locked(Supplier<T> change) {
        changing.lock();
        try {
            return lockedForAll(change);
        } finally {
            changing.unlock();
        }
    }

    private <T> T lockedForAll(Supplier<T> change) {
        long startNs = NanoClock.SYSTEM.nowNs();
        while (!locks.tryLock(PAGE)) {
            if (NanoClock.SYSTEM.nowNs() - startNs > LONGEST_WAIT_NS) {
                throw new RdmaException(
                        "share " + address,
                        Errno.EAGAIN,
                        "another process at this address is in the middle of a change and does not go on; let it go on"
                                + " or end it if it is stopped");
            }
            Pause.of(PAUSE_NS);
        }
        try {
            return change.get();
        } finally {
            locks.unlock(PAGE);
        }
    }

    @Override
    public void close() {
        locks.close();
    }
}
