package io.verbena.rdmacore.cm;

import io.verbena.rdmacore.NativeContext;
import java.util.HashMap;
import java.util.Map;

/// The devices that ids found, one object for each context of librdmacm.
final class SharedDevices {
    private final Map<Long, SharedDevice> byContext = new HashMap<>();

    /// For one more id.
    ///
    /// @param context the `ibv_context` of the id
    synchronized SharedDevice acquire(long context) {
        return byContext.computeIfAbsent(context, SharedDevices::adopt).retain();
    }

    /// librdmacm closes the context of a device that was pulled out once no id uses it; objects of programs may
    /// outlive the ids, so a reference is kept that is never given back.
    private static SharedDevice adopt(long context) {
        Rdmacm.keepDevices();
        return new SharedDevice(NativeContext.borrowed(context, closed -> {}));
    }
}
