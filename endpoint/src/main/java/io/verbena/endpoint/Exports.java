package io.verbena.endpoint;

import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.RemoteBuffer;
import io.verbena.verbs.attr.Access;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/// The memory that a server, or a client, lets its peers use, by name. Safe from any thread.
final class Exports implements AutoCloseable {
    static final int MOST_NAME_BYTES = 200;

    /// What follows the header of FOUND: address, length and key (20), rights (4), number of the export (8).
    static final int FOUND_BYTES = RemoteBuffer.BYTES + Integer.BYTES + Long.BYTES;

    private static final long LONGEST_REVOKE_S = 5;

    private static final int REMOTE = Access.bits(Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);

    /// @param allocated the region that the memory belongs to; null for memory of the program
    /// @param regions the registration in each protection domain
    /// @param users the connections that have found it
    private record Entry(
            String name,
            MemorySegment memory,
            Access[] rights,
            MemoryRegion allocated,
            Map<ProtectionDomain, MemoryRegion> regions,
            Set<ConnectionLink> users) {
        void register(ProtectionDomain pd) {
            try {
                regions.put(pd, pd.register(memory, rights));
            } catch (RdmaException e) {
                throw new RdmaException(exporting(name), e.errnoNumber(), e.verb() + ": " + e.explanation(), e);
            }
        }

        void deregister(ProtectionDomain pd) {
            MemoryRegion region = regions.remove(pd);
            if (region != null) {
                region.close();
            }
        }

        /// The region that has the memory is the last.
        void close() {
            for (MemoryRegion region : regions.values()) {
                if (region != allocated) {
                    region.close();
                }
            }
            if (allocated != null) {
                allocated.close();
            }
        }
    }

    private final Map<Long, Entry> entries = new HashMap<>();
    private final Map<String, Long> names = new HashMap<>();
    private final Map<Long, CountDownLatch> revoking = new HashMap<>();
    private final Set<ProtectionDomain> domains = Collections.newSetFromMap(new IdentityHashMap<>());
    private long numbers;
    private boolean isClosed;

    /// One export at a time is revoked, because each peer has a receive for one such message. Taken before this.
    private final ReentrantLock revoker = new ReentrantLock();

    /// From now on connections of this domain ask for exports.
    synchronized void addDomain(ProtectionDomain pd) {
        if (domains.add(pd)) {
            try {
                entries.values().forEach(entry -> entry.register(pd));
            } catch (RuntimeException e) {
                domains.remove(pd);
                entries.values().forEach(entry -> entry.deregister(pd));
                throw e;
            }
        }
    }

    synchronized Export export(String name, MemorySegment memory, Access... rights) {
        Objects.requireNonNull(memory, "the memory is null");
        check(name, rights);
        ExportedMemory.require(exporting(name), memory, rights);
        return add(new Entry(name, memory, withLocalWrite(rights), null, new IdentityHashMap<>(), new HashSet<>()));
    }

    /// New memory. Where a device can share memory with processes of its host, it does so with memory that it has
    /// allocated itself, and not with that of programs.
    synchronized Export allocate(String name, long bytes, Access... rights) {
        check(name, rights);
        if (domains.isEmpty()) {
            throw new RdmaException(
                    exporting(name),
                    Errno.EAGAIN,
                    "the server listens at all addresses, and nobody has connected yet, so it has no device to allocate"
                            + " by; listen at one address, or export memory of your own");
        }
        Access[] all = withLocalWrite(rights);
        ProtectionDomain first = domains.iterator().next();
        MemoryRegion region = first.allocate(bytes, all);
        Entry entry = new Entry(name, region.memory(), all, region, new IdentityHashMap<>(), new HashSet<>());
        entry.regions.put(first, region);
        return add(entry);
    }

    private static String exporting(String name) {
        return "export '" + name + "'";
    }

    private void check(String name, Access... rights) {
        if (isClosed) {
            throw new RdmaException(
                    exporting(name),
                    Errno.EBADF,
                    "the server or connection that would have it was closed by this program");
        }
        byte[] text = Objects.requireNonNull(name, "the name is null").getBytes(StandardCharsets.UTF_8);
        if (text.length == 0 || text.length > MOST_NAME_BYTES) {
            throw new RdmaException(
                    exporting(name),
                    Errno.EINVAL,
                    "its name has %d bytes; it must have 1 to %d".formatted(text.length, MOST_NAME_BYTES));
        }
        if ((Access.bits(rights) & REMOTE) == 0) {
            throw new RdmaException(
                    exporting(name),
                    Errno.EINVAL,
                    "it grants peers no right; name REMOTE_READ, REMOTE_WRITE or REMOTE_ATOMIC");
        }
        if (names.containsKey(name)) {
            throw new RdmaException(
                    exporting(name), Errno.EEXIST, "there is one of that name; close it, or use another name");
        }
    }

    private Export add(Entry entry) {
        try {
            for (ProtectionDomain pd : domains) {
                if (!entry.regions.containsKey(pd)) {
                    entry.register(pd);
                }
            }
        } catch (RuntimeException e) {
            entry.close();
            throw e;
        }
        long number = ++numbers;
        entries.put(number, entry);
        names.put(entry.name, number);
        return new Export(this, entry.name, entry.memory, number);
    }

    /// Remote writing needs local writing. Reading does not, and memory that cannot be written is exported for it.
    private static Access[] withLocalWrite(Access[] rights) {
        Set<Access> all = new HashSet<>(Set.of(rights));
        if (all.contains(Access.REMOTE_WRITE) || all.contains(Access.REMOTE_ATOMIC)) {
            all.add(Access.LOCAL_WRITE);
        }
        return all.toArray(Access[]::new);
    }

    /// A peer asks. Of the owner of a hub.
    void onFind(ConnectionLink asking, long question, byte[] nameBytes) {
        String name = new String(nameBytes, StandardCharsets.UTF_8);
        byte[] found = find(asking, name);
        if (found != null) {
            asking.sender().control(MessageHeader.FOUND, 0, question, found, null);
        } else {
            asking.sender().control(MessageHeader.NOT_FOUND, 0, question, ConnectionLink.NO_BYTES, null);
        }
    }

    private synchronized byte[] find(ConnectionLink asking, String name) {
        Long number = names.get(name);
        if (number == null || revoking.containsKey(number)) {
            return null;
        }
        Entry entry = entries.get(number);
        MemoryRegion region = entry.regions.get(asking.resources().protectionDomain());
        entry.users.add(asking);
        return ByteBuffer.allocate(FOUND_BYTES)
                .put(region.remote().encode())
                .putInt(Access.bits(entry.rights) & REMOTE)
                .putLong(number)
                .array();
    }

    void revoke(long number) {
        requireNoHandler(number);
        revoker.lock();
        try {
            revokeAlone(number);
        } finally {
            revoker.unlock();
        }
    }

    private synchronized void requireNoHandler(long number) {
        Entry entry = entries.get(number);
        if (entry != null
                && entry.users.stream().anyMatch(user -> user.resources().hub().isHandling())) {
            throw new RdmaException(
                    "revoke export '" + entry.name + "'",
                    Errno.EAGAIN,
                    "a handler must not wait for peers; close the export in another thread");
        }
    }

    private void revokeAlone(long number) {
        CountDownLatch revoked;
        Entry entry;
        synchronized (this) {
            entry = entries.get(number);
            if (entry == null) {
                return;
            }
            revoked = new CountDownLatch(entry.users.size());
            revoking.put(number, revoked);
            entry.users.forEach(
                    user -> user.sender().control(MessageHeader.REVOKE, 0, number, ConnectionLink.NO_BYTES, null));
        }
        try {
            if (!revoked.await(LONGEST_REVOKE_S, TimeUnit.SECONDS)) {
                EndpointEvents.revokedLate(entry.name, LONGEST_REVOKE_S);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RdmaException("revoke export '" + entry.name + "'", Errno.EINTR, "the thread was interrupted");
        } finally {
            remove(number, entry);
        }
    }

    private synchronized void remove(long number, Entry entry) {
        revoking.remove(number);
        entries.remove(number);
        names.remove(entry.name);
        entry.close();
    }

    /// A peer accesses it no more. Of the owner of a hub.
    synchronized void onRevoked(ConnectionLink user, long number) {
        Entry entry = entries.get(number);
        CountDownLatch revoked = revoking.get(number);
        if (entry != null && revoked != null && entry.users.remove(user)) {
            revoked.countDown();
        }
    }

    /// A connection is over. Of the owner of a hub.
    synchronized void onGone(ConnectionLink user) {
        entries.forEach((number, entry) -> {
            CountDownLatch revoked = entry.users.remove(user) ? revoking.get(number) : null;
            if (revoked != null) {
                revoked.countDown();
            }
        });
    }

    /// After all connections were closed.
    @Override
    public synchronized void close() {
        isClosed = true;
        entries.values().forEach(Entry::close);
        entries.clear();
        names.clear();
    }
}
