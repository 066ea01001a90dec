package io.verbena.soft.cm;

import io.verbena.soft.device.SoftDevice;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;

/// Opens devices for ids, each once. A device stays open until its last id is closed, its last connection has left
/// TIMEWAIT, and the program has closed all objects of the device.
final class DevicePool {
    private final Map<SoftDevice, SoftSharedDevice> devices = new HashMap<>();

    /// A lock for each device: opening one may take long, and users of others do not wait for it.
    private final Map<SoftDevice, ReentrantLock> opening = new ConcurrentHashMap<>();

    private final Function<SoftSharedDevice, List<? extends AutoCloseable>> ids;
    private final Consumer<SoftDevice> onOpened;

    /// @param ids names the ids that use a device
    /// @param onOpened told of a device that was not open, without the pool's lock
    DevicePool(Function<SoftSharedDevice, List<? extends AutoCloseable>> ids, Consumer<SoftDevice> onOpened) {
        this.ids = ids;
        this.onOpened = onOpened;
    }

    SoftSharedDevice acquire(SoftDevice device) {
        SoftSharedDevice shared;
        ReentrantLock one = opening.computeIfAbsent(device, added -> new ReentrantLock());
        one.lock();
        try {
            shared = retain(device);
            if (shared != null) {
                return shared;
            }
            shared = new SoftSharedDevice(device.open(), this::onIdle, ids);
            add(device, shared);
        } finally {
            one.unlock();
        }
        onOpened.accept(device);
        return shared;
    }

    /// Whether this thread is about to open the device for an id.
    boolean isOpening(SoftDevice device) {
        ReentrantLock one = opening.get(device);
        return one != null && one.isHeldByCurrentThread();
    }

    /// For one more id; null when the device is not open.
    private synchronized SoftSharedDevice retain(SoftDevice device) {
        closeUnused();
        SoftSharedDevice open = devices.get(device);
        return open == null ? null : open.retain();
    }

    private synchronized void add(SoftDevice device, SoftSharedDevice opened) {
        devices.put(device, opened.retain());
    }

    synchronized void release(SoftSharedDevice device) {
        if (device.release()) {
            closeUnused();
        }
    }

    /// Called by an engine's owner, which cannot stop the engine, or while the program closes something; so another
    /// thread closes devices. In virtual time such a thread would make runs differ; there the next acquire or release
    /// closes them.
    private void onIdle(SoftSharedDevice device) {
        if (device.isUnused() && device.engine().simulation() == null) {
            Thread.ofVirtual().name("verbena-close").start(this::closeUnused);
        }
    }

    synchronized void closeUnused() {
        for (SoftSharedDevice device : List.copyOf(devices.values())) {
            if (device.isUnused()) {
                close(device);
            }
        }
    }

    private void close(SoftSharedDevice device) {
        try {
            device.close();
            devices.values().remove(device);
        } catch (RdmaException e) {
            if (e.errno() != Errno.EBUSY) {
                throw e;
            }
        }
    }

    synchronized int size() {
        return devices.size();
    }
}
