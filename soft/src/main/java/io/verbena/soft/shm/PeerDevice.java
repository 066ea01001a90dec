package io.verbena.soft.shm;

import static io.verbena.soft.shm.DeviceLayout.INT;
import static io.verbena.soft.shm.DeviceLayout.LONG;

import io.verbena.soft.os.AsymmetricFence;
import io.verbena.verbs.RdmaException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// What a neighbour shows: its queue pairs and regions, and its bell. Owned by the engine of the device that looks.
final class PeerDevice {
    private static final int SLEEPS = 1;
    private static final int BEING_WOKEN = 2;

    private final SharedFolder folder;
    private final String process;
    private final SharedFile file;
    private final MemorySegment memory;
    private final Bell bell;
    private final boolean fenced;
    private final PeerRegion[] regions = new PeerRegion[DeviceLayout.REGIONS];
    private int regionsOpen;
    private volatile boolean gone;
    /// Connections that use it.
    int users;

    PeerDevice(SharedFolder folder, String process, SharedFile file, Bell bell) {
        this.folder = folder;
        this.process = process;
        this.file = file;
        this.memory = file.memory();
        this.bell = bell;
        this.fenced = AsymmetricFence.ON_HOST && memory.get(ValueLayout.JAVA_INT, DeviceLayout.FENCES_AT) == 1;
    }

    /// Between a store that the neighbour looks at and a look at what it stored.
    void fence() {
        if (fenced) {
            AsymmetricFence.frequentSide();
        } else {
            VarHandle.fullFence();
        }
    }

    /// Whether the device is still what it was: one that was closed and opened again shows another file.
    boolean isOpen() {
        return DeviceLayout.load(memory, DeviceLayout.MAGIC_AT) == DeviceLayout.MAGIC;
    }

    static boolean isOne(SharedFile file) {
        return file.memory().byteSize() == DeviceLayout.BYTES
                && DeviceLayout.load(file.memory(), DeviceLayout.MAGIC_AT) == DeviceLayout.MAGIC;
    }

    /// Whether its process has ended, as far as is known.
    boolean isGone() {
        return gone;
    }

    /// Looks whether it has by now.
    boolean findGone() {
        gone = gone || !folder.isAlive(process);
        return gone;
    }

    boolean shows(int qpNumber) {
        return DeviceLayout.load(memory, DeviceLayout.queuePairAt(qpNumber) + DeviceLayout.NUMBER) == qpNumber + 1L;
    }

    /// Names the inbox of a queue pair; 0 while it has none.
    long inboxOf(int qpNumber) {
        long id = DeviceLayout.load(memory, DeviceLayout.queuePairAt(qpNumber) + DeviceLayout.INBOX);
        return shows(qpNumber) ? id : 0;
    }

    /// The inbox of that name, or null when it is not there any more.
    SharedFile openInbox(long id) {
        return open(Sharing.inboxName(id), InboxLayout.BYTES);
    }

    private SharedFile open(String name, long bytes) {
        try {
            SharedFile opened = folder.open(process, name);
            if (opened.memory().byteSize() >= bytes) {
                return opened;
            }
            opened.close();
        } catch (RdmaException notThere) {
            // It was closed meanwhile, or cannot be mapped: then the engine over there does it.
        }
        return null;
    }

    /// Whether that queue pair waits for packets of one of ours in its inbox.
    boolean expects(int qpNumber, long ownHigh, long ownLow, int ownQp) {
        long id = inboxOf(qpNumber);
        SharedFile inbox = id == 0 ? null : openInbox(id);
        if (inbox == null) {
            return false;
        }
        boolean meantForUs = InboxLayout.isMeantFor(inbox.memory(), ownHigh, ownLow, ownQp);
        inbox.close();
        return meantForUs;
    }

    /// The region of that key, or null when it cannot be reached from here.
    PeerRegion region(int key) {
        int slot = DeviceLayout.regionSlot(key);
        long registration = DeviceLayout.load(memory, DeviceLayout.regionAt(slot));
        PeerRegion region = regionIn(slot, registration);
        return region != null && region.key == key ? region : null;
    }

    /// The region of that registration, or null when it is closed.
    PeerRegion regionIn(int slot, long registration) {
        PeerRegion known = regions[slot];
        if (known != null && known.registration == registration) {
            return known;
        }
        return registration == 0 ? null : openRegion(slot, registration);
    }

    private PeerRegion openRegion(int slot, long registration) {
        long at = DeviceLayout.regionAt(slot);
        int key = memory.get(ValueLayout.JAVA_INT, at + DeviceLayout.KEY);
        int access = memory.get(ValueLayout.JAVA_INT, at + DeviceLayout.ACCESS);
        int domain = memory.get(ValueLayout.JAVA_INT, at + DeviceLayout.DOMAIN);
        long address = memory.get(ValueLayout.JAVA_LONG, at + DeviceLayout.ADDRESS);
        long length = memory.get(ValueLayout.JAVA_LONG, at + DeviceLayout.LENGTH);
        long fileId = memory.get(ValueLayout.JAVA_LONG, at + DeviceLayout.FILE);
        if (DeviceLayout.load(memory, at) != registration || length < 0) {
            return null;
        }
        SharedFile opened = open(Sharing.regionName(fileId), length);
        if (opened == null) {
            return null;
        }
        forget(slot);
        regions[slot] = new PeerRegion(memory, at, opened, registration, key, access, domain, address, length);
        regionsOpen++;
        return regions[slot];
    }

    private void forget(int slot) {
        if (regions[slot] != null) {
            regions[slot].close();
            regions[slot] = null;
            regionsOpen--;
        }
    }

    /// Lets go of regions that are closed over there, so that their memory can be freed.
    void sweep() {
        for (int slot = 0; regionsOpen > 0 && slot < regions.length; slot++) {
            if (regions[slot] != null && !regions[slot].isOpen()) {
                forget(slot);
            }
        }
    }

    /// Makes it look into the inboxes that it does not look into each time. As with [#wake].
    void tellNews() {
        LONG.getAndAdd(memory, DeviceLayout.NEWS_AT, 1L);
    }

    /// Wakes whoever sleeps there. Packets must be in place before, with a [#fence] between.
    void wake() {
        if ((int) INT.getVolatile(memory, DeviceLayout.ASLEEP_AT) == SLEEPS
                && INT.compareAndSet(memory, DeviceLayout.ASLEEP_AT, SLEEPS, BEING_WOKEN)) {
            bell.ring();
        }
    }

    boolean mend() {
        return file.mend();
    }

    void close() {
        for (int slot = 0; regionsOpen > 0 && slot < regions.length; slot++) {
            forget(slot);
        }
        bell.close();
        file.close();
    }
}
