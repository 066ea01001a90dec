package io.verbena.soft.shm;

import static io.verbena.soft.shm.DeviceLayout.INT;
import static io.verbena.soft.shm.DeviceLayout.LONG;

import io.verbena.soft.os.AsymmetricFence;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// What this device shows to its neighbours. Queue pairs and regions have one slot each, chosen by their number; who
/// finds it taken is not shown, and peers reach it over the network or through its engine. Owned by the engine, except
/// for what sleeping threads tell.
final class DeviceFile {
    private final SharedFile file;
    private final MemorySegment memory;
    private long registrations;

    DeviceFile(SharedFile file) {
        this.file = file;
        this.memory = file.memory();
        memory.set(ValueLayout.JAVA_INT, DeviceLayout.FENCES_AT, AsymmetricFence.ON_HOST ? 1 : 0);
        LONG.setRelease(memory, DeviceLayout.MAGIC_AT, DeviceLayout.MAGIC);
    }

    /// False when another queue pair has the slot.
    boolean show(int qpNumber) {
        long at = DeviceLayout.queuePairAt(qpNumber);
        if (memory.get(ValueLayout.JAVA_LONG, at) != 0) {
            return false;
        }
        LONG.setRelease(memory, at + DeviceLayout.NUMBER, qpNumber + 1L);
        return true;
    }

    boolean shows(int qpNumber) {
        return memory.get(ValueLayout.JAVA_LONG, DeviceLayout.queuePairAt(qpNumber)) == qpNumber + 1L;
    }

    void hide(int qpNumber) {
        if (shows(qpNumber)) {
            long at = DeviceLayout.queuePairAt(qpNumber);
            LONG.setRelease(memory, at + DeviceLayout.INBOX, 0L);
            LONG.setVolatile(memory, at + DeviceLayout.NUMBER, 0L);
            VarHandle.fullFence();
        }
    }

    void inbox(int qpNumber, long id) {
        LONG.setVolatile(memory, DeviceLayout.queuePairAt(qpNumber) + DeviceLayout.INBOX, id);
        VarHandle.fullFence();
    }

    /// The number of the new registration; 0 when the slot is taken.
    long show(int key, int access, long address, long length, long fileId, int domain) {
        long at = DeviceLayout.regionAt(DeviceLayout.regionSlot(key));
        if (memory.get(ValueLayout.JAVA_LONG, at) != 0) {
            return 0;
        }
        memory.set(ValueLayout.JAVA_INT, at + DeviceLayout.KEY, key);
        memory.set(ValueLayout.JAVA_INT, at + DeviceLayout.ACCESS, access);
        memory.set(ValueLayout.JAVA_LONG, at + DeviceLayout.ADDRESS, address);
        memory.set(ValueLayout.JAVA_LONG, at + DeviceLayout.LENGTH, length);
        memory.set(ValueLayout.JAVA_LONG, at + DeviceLayout.FILE, fileId);
        memory.set(ValueLayout.JAVA_INT, at + DeviceLayout.DOMAIN, domain);
        LONG.setRelease(memory, at, ++registrations);
        return registrations;
    }

    /// From now on no neighbour begins to use the region; those that are at it go on for a moment.
    void hideRegion(int key, long registration) {
        long at = DeviceLayout.regionAt(DeviceLayout.regionSlot(key));
        if (memory.get(ValueLayout.JAVA_LONG, at) == registration) {
            LONG.setVolatile(memory, at, 0L);
        }
    }

    /// From any thread.
    void asleep(boolean sleeps) {
        try {
            INT.setVolatile(memory, DeviceLayout.ASLEEP_AT, sleeps ? 1 : 0);
        } catch (IllegalStateException | InternalError gone) {
            // Nobody has to be woken any more, or the look for news that comes next finds out.
        }
    }

    /// Changes when something was put into an inbox that is not looked at each time. From any thread.
    long news() {
        try {
            return (long) LONG.getVolatile(memory, DeviceLayout.NEWS_AT);
        } catch (IllegalStateException closed) {
            return 0;
        }
    }

    boolean mend() {
        return file.mend();
    }

    void close() {
        LONG.setRelease(memory, DeviceLayout.MAGIC_AT, 0L);
        file.close();
    }
}
