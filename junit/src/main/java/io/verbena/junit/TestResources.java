package io.verbena.junit;

import io.verbena.soft.fabric.DeviceCounters;
import io.verbena.soft.fabric.OpenObjects;
import io.verbena.soft.fabric.SimulatedFabric;
import io.verbena.soft.fabric.SimulatedHost;
import io.verbena.verbs.Device;
import java.util.ArrayList;
import java.util.List;

/// What one test was given, and what it opened itself.
final class TestResources {
    private final Seed seed = Seed.next();
    private final FaultsOfTest faults;

    /// Null when tests run at the same time.
    private final HostDevices host;

    private boolean isSeedTaken;
    private SimulatedFabric network;
    private LoopbackDevices devices;

    /// What [#openedOutside] found, null before it was asked.
    private List<Device> outside;

    TestResources(FaultsOfTest faults, HostDevices host) {
        this.faults = faults;
        this.host = host;
    }

    /// For the test.
    synchronized Seed takeSeed() {
        isSeedTaken = true;
        return seed;
    }

    Seed seed() {
        return seed;
    }

    /// Whether chance has a part in the test.
    synchronized boolean isSeedUsed() {
        return isSeedTaken || isNetworkTaken();
    }

    private boolean isNetworkTaken() {
        return network != null || devices != null;
    }

    synchronized SimulatedFabric network() {
        if (network == null) {
            network = new SimulatedFabric(seed.value()).faults(faults.plan());
        }
        return network;
    }

    synchronized LoopbackDevices devices() {
        if (devices == null) {
            devices = new LoopbackDevices(faults.plan(), seed);
        }
        return devices;
    }

    /// Why the faults of the test have no effect, or null.
    synchronized String complaintOfFaults() {
        return faults.complaint(isNetworkTaken());
    }

    /// What the test has not closed, in words.
    synchronized List<String> openObjects() {
        List<String> open = new ArrayList<>();
        if (network != null) {
            open.addAll(network.openObjects());
        }
        if (devices != null) {
            open.addAll(devices.openObjects());
        }
        outside = openedOutside();
        outside.forEach(device -> open.addAll(OpenObjects.of(device)));
        return open;
    }

    /// Devices that the test opened without [LoopbackDevices].
    private List<Device> openedOutside() {
        if (host == null) {
            return List.of();
        }
        List<Device> own = devices == null ? List.of() : devices.devices();
        return host.opened().stream().filter(device -> !own.contains(device)).toList();
    }

    /// What was counted that may tell why the test failed, in lines.
    synchronized List<String> counterNotes() {
        CounterNotes notes = new CounterNotes();
        if (network != null) {
            for (SimulatedHost simulated : network.hosts()) {
                notes.addDevice(simulated.device().name(), DeviceCounters.of(simulated.device()));
            }
            notes.addLinks(network);
        }
        List<Device> own = devices == null ? List.of() : devices.devices();
        own.forEach(device -> notes.addDevice(device.name(), DeviceCounters.of(device)));
        if (host != null) {
            host.counted().forEach((device, counted) -> {
                if (!own.contains(device)) {
                    notes.addDevice(device.name(), counted);
                }
            });
        }
        return notes.lines();
    }

    /// What threads of the network threw and the test has not seen.
    synchronized List<Throwable> unseenFailures() {
        return network == null ? List.of() : network.unseenFailures();
    }

    /// Closes everything; returns what is still left, in words.
    synchronized List<String> close() {
        List<String> left = new ArrayList<>();
        // Looking at all devices of the host takes a millisecond, so only once.
        (outside == null ? openedOutside() : outside).forEach(OpenObjects::closeAll);
        if (network != null) {
            network.close();
        }
        if (devices != null) {
            left.addAll(devices.close());
        }
        return left;
    }
}
