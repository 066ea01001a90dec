package io.verbena.rdmacore.cm;

import io.verbena.rdmacore.NativeContext;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.Map;

/// The devices that ids found, one object for each context of librdmacm.
final class NativeSharedDevices {
    private static final Logger LOG = System.getLogger(NativeSharedDevices.class.getName());

    private final Map<Long, NativeSharedDevice> byContext = new HashMap<>();

    /// Counts one more id on the device.
    ///
    /// @param context the `ibv_context` of the id
    synchronized NativeSharedDevice acquire(long context) {
        return byContext.computeIfAbsent(context, NativeSharedDevices::adopt).retain();
    }

    /// librdmacm closes the context of a device that was pulled out once no id uses it; objects of programs may
    /// outlive the ids, so a reference is kept that is never given back.
    private static NativeSharedDevice adopt(long context) {
        long all = Rdmacm.LIB.getDevices(0);
        LOG.log(Level.DEBUG, () -> "devices kept: " + (all > 0));
        return new NativeSharedDevice(NativeContext.borrowed(context, closed -> {}));
    }
}
