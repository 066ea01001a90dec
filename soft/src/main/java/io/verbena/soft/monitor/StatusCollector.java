package io.verbena.soft.monitor;

import io.verbena.soft.cm.IdPorts;
import io.verbena.soft.cm.SoftConnectionManager;
import io.verbena.soft.device.HostNetwork;
import io.verbena.soft.device.SoftContext;
import io.verbena.soft.device.SoftDevice;
import io.verbena.soft.os.NanoClock;
import io.verbena.soft.qp.SoftQueuePair;
import io.verbena.soft.status.ConnectionStatus;
import io.verbena.soft.status.DeviceStatus;
import io.verbena.soft.status.ProcessStatus;
import io.verbena.soft.status.StatusEncoder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Collects the status of this process. It takes no lock that posting or polling takes, and never waits for an engine:
/// numbers are read while their owners change them.
public final class StatusCollector {
    private final HostNetwork network;
    private final SoftConnectionManager manager;
    private final NanoClock clock;
    private int leftOut;

    public StatusCollector(HostNetwork network, SoftConnectionManager manager, NanoClock clock) {
        this.network = network;
        this.manager = manager;
        this.clock = clock;
    }

    /// The status now.
    public synchronized ProcessStatus collect() {
        leftOut = 0;
        long nowNs = clock.nowNs();
        Map<SoftQueuePair, IdPorts> ports = manager.portsByQueuePair();
        List<DeviceStatus> devices = new ArrayList<>();
        int room = StatusEncoder.mostConnections();
        for (SoftDevice device : network.opened()) {
            List<SoftContext> contexts = device.contexts();
            if (!contexts.isEmpty()) {
                List<ConnectionStatus> connections = connections(contexts, ports, room, nowNs);
                room -= connections.size();
                devices.add(contexts.getFirst().status(connections));
            }
        }
        ProcessHandle.Info info = ProcessHandle.current().info();
        return new ProcessStatus(
                ProcessHandle.current().pid(),
                program(),
                info.startInstant().map(Instant::toEpochMilli).orElse(0L),
                info.totalCpuDuration().map(Duration::toNanos).orElse(0L),
                nowNs,
                leftOut,
                manager.listening(),
                devices);
    }

    private List<ConnectionStatus> connections(
            List<SoftContext> contexts, Map<SoftQueuePair, IdPorts> ports, int room, long nowNs) {
        List<ConnectionStatus> connections = new ArrayList<>();
        for (SoftContext context : contexts) {
            for (SoftQueuePair qp : context.queuePairs()) {
                if (connections.size() == room) {
                    leftOut++;
                } else {
                    IdPorts its = ports.getOrDefault(qp, IdPorts.NONE);
                    connections.add(qp.status(its.local(), its.peer(), nowNs));
                }
            }
        }
        return connections;
    }

    /// The main class, module or jar, without arguments: these may be secret.
    private static String program() {
        String command = System.getProperty("sun.java.command", "");
        int end = command.indexOf(' ');
        return end < 0 ? command : command.substring(0, end);
    }
}
