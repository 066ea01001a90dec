package io.verbena.junit;

import io.verbena.soft.fabric.DeviceCounters;
import io.verbena.soft.fabric.OpenObjects;
import io.verbena.verbs.Device;
import io.verbena.verbs.Rdma;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The software devices of this process as they were before a test: to tell what the test opened by itself, and what
/// was counted meanwhile. Only for tests that run one after the other, because a device does not know whose it is.
final class HostDevices {
    private final List<Device> before;
    private final Map<Device, Map<String, Long>> countedBefore = new HashMap<>();

    HostDevices() {
        List<Device> all = all();
        before = inUse(all);
        all.forEach(device -> countedBefore.put(device, DeviceCounters.of(device)));
    }

    /// Devices of which something is open now, and nothing was before.
    List<Device> opened() {
        return inUse(all()).stream().filter(device -> !before.contains(device)).toList();
    }

    /// What devices counted since then, as far as they are open or stand for an address of an interface.
    Map<Device, Map<String, Long>> counted() {
        Map<Device, Map<String, Long>> counted = new HashMap<>();
        all().forEach(device -> counted.put(device, countedSince(device)));
        return counted;
    }

    private Map<String, Long> countedSince(Device device) {
        Map<String, Long> earlier = countedBefore.getOrDefault(device, Map.of());
        Map<String, Long> since = new TreeMap<>(DeviceCounters.of(device));
        since.replaceAll((name, value) -> value - earlier.getOrDefault(name, 0L));
        return since;
    }

    private static List<Device> all() {
        return Rdma.providers().stream()
                .filter(provider -> provider.name().equals("soft"))
                .flatMap(provider -> provider.devices().stream())
                .toList();
    }

    private static List<Device> inUse(List<Device> all) {
        return all.stream().filter(device -> !OpenObjects.of(device).isEmpty()).toList();
    }
}
