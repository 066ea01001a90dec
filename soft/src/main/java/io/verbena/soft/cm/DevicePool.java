package io.verbena.soft.cm;

import io.verbena.soft.device.SoftDevice;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/// Opens devices for ids, each once. A device stays open until its last id is closed, its last connection is over
/// (late messages waited out), and the program has closed what it made of it.
final class DevicePool {
    private final Map<SoftDevice, SharedDevice> devices = new HashMap<>();
    private final Function<SharedDevice, ?> ids;
    private final Consumer<SoftDevice> onOpened;

    /// @param ids names the ids that use a device
    /// @param onOpened told of a device that was not open, without the pool's lock
    DevicePool(Function<SharedDevice, ?> ids, Consumer<SoftDevice> onOpened) {
        this.ids = ids;
        this.onOpened = onOpened;
    }

    SharedDevice acquire(SoftDevice device) {
        SharedDevice shared;
        boolean isNew;
        synchronized (this) {
            closeUnused();
            isNew = !devices.containsKey(device);
            if (isNew) {
                devices.put(device, new SharedDevice(device.open(), this::onIdle, ids));
            }
            shared = devices.get(device).retain();
        }
        if (isNew) {
            onOpened.accept(device);
        }
        return shared;
    }

    synchronized void release(SharedDevice device) {
        if (device.release()) {
            closeUnused();
        }
    }

    /// Called by an engine's owner, who cannot stop the engine, or while the program closes something. Virtual
    /// time has one thread only; there the next acquire or release does it.
    private void onIdle(SharedDevice device) {
        if (device.isUnused() && device.engine().simulation() == null) {
            Thread.ofVirtual().name("verbena-close").start(this::closeUnused);
        }
    }

    private synchronized void closeUnused() {
        for (SharedDevice device : List.copyOf(devices.values())) {
            if (device.isUnused()) {
                close(device);
            }
        }
    }

    private void close(SharedDevice device) {
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
