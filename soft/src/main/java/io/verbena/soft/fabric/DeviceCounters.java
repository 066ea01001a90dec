package io.verbena.soft.fabric;

import io.verbena.soft.device.SoftDevice;
import io.verbena.verbs.Device;
import java.util.Map;
import java.util.Objects;

/// What a software device counted, also when it is closed by now: for tests that failed and have closed their devices.
///
/// ```java
/// long naks = DeviceCounters.of(device).getOrDefault("RNR NAKs sent", 0L);
/// ```
public final class DeviceCounters {
    private DeviceCounters() {}

    /// The counters of [io.verbena.verbs.Context#counters] that are not 0, since the device was first opened in this
    /// process. Empty for devices of other providers.
    public static Map<String, Long> of(Device device) {
        Objects.requireNonNull(device, "the device is null");
        return device instanceof SoftDevice soft ? soft.countersOfAllTime() : Map.of();
    }
}
