package io.verbena.soft.cm;

import io.verbena.soft.device.SoftDevice;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/// Opens devices for ids, each once. A device stays open until its last id is closed, its last connection has left
/// TIMEWAIT, and the program has closed all objects of the device.
final class DevicePool {
    private final Map<SoftDevice, SoftSharedDevice> devices = new HashMap<>();
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
        boolean isNew;
        synchronized (this) {
            closeUnused();
            isNew = !devices.containsKey(device);
            if (isNew) {
                devices.put(device, new SoftSharedDevice(device.open(), this::onIdle, ids));
            }
            shared = devices.get(device).retain();
        }
        if (isNew) {
            onOpened.accept(device);
        }
        return shared;
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
