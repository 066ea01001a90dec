package io.verbena.tools.trace;

import io.verbena.tools.trace.VerbRow.Show;
import io.verbena.tools.trace.VerbRow.When;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The table of the C verb of each method of the API.
///
/// Rows are named `Type.method`, or `Type.method(FirstParameter)` where overloads are different verbs. A method that is
/// neither here nor in [#QUIET] is forwarded and not recorded, and fails a test.
final class VerbTable {
    private static final Map<String, VerbRow> ROWS = rows();
    private static final Map<Method, Optional<VerbRow>> FOUND = new ConcurrentHashMap<>();

    /// Methods that are not recorded: getters, and those that are recorded otherwise. `Type.*` stands for all methods
    /// of a type.
    static final Set<String> QUIET = Set.of(
            "RdmaProvider.name",
            "RdmaProvider.availability",
            "RdmaProvider.connectionManager",
            "Device.name",
            "Device.provider",
            "Device.guid",
            "Device.nodeType",
            "Device.transportType",
            "Device.kernelName",
            "Context.device",
            "Context.counters",
            "Context.paths",
            "Context.shards",
            "Context.completionVectors",
            "Context.asyncEvents",
            "ProtectionDomain.context",
            "MemoryRegion.protectionDomain",
            "MemoryRegion.memory",
            "MemoryRegion.address",
            "MemoryRegion.length",
            "MemoryRegion.lkey",
            "MemoryRegion.rkey",
            "MemoryRegion.access",
            "MemoryRegion.remote",
            "MemoryWindow.protectionDomain",
            "MemoryWindow.type",
            "MemoryWindow.rkey",
            "AddressHandle.protectionDomain",
            "AddressHandle.address",
            "CompletionQueue.context",
            "CompletionQueue.channel",
            "CompletionQueue.capacity",
            "CompletionQueue.poll", // its completions are recorded
            "CompletionChannel.context",
            "SharedReceiveQueue.protectionDomain",
            "SharedReceiveQueue.newReceiveRequest",
            "QueuePair.protectionDomain",
            "QueuePair.number",
            "QueuePair.type",
            "QueuePair.state",
            "QueuePair.capabilities",
            "QueuePair.sendCq",
            "QueuePair.receiveCq",
            "QueuePair.newSendRequest",
            "QueuePair.newReceiveRequest",
            "SendRequest.*", // recorded when they are posted
            "ReceiveRequest.*",
            "Pollable.isReady",
            "Pollable.newPoller",
            "Pollable.unwrap",
            "Poller.add",
            "Poller.remove",
            "Poller.close",
            "ConnectionId.portSpace",
            "ConnectionId.channel",
            "ConnectionId.attachment",
            "ConnectionId.context",
            "ConnectionId.port",
            "ConnectionId.protectionDomain",
            "ConnectionId.queuePair",
            "ConnectionId.localAddress",
            "ConnectionId.peerAddress",
            "ConnectionId.timeout",
            "ConnectionId.awaitRequest", // its event is recorded
            "ConnectionId.event",
            "EventChannel.await",
            "EventChannel.tryTake");

    private VerbTable() {}

    /// The row of a method, or null when it is not recorded.
    static VerbRow find(Method method) {
        return FOUND.computeIfAbsent(method, m -> Optional.ofNullable(findRow(m)))
                .orElse(null);
    }

    private static VerbRow findRow(Method method) {
        String name = name(method);
        if (method.getParameterCount() > 0) {
            VerbRow row = ROWS.get(name + "(" + method.getParameterTypes()[0].getSimpleName() + ")");
            if (row != null) {
                return row;
            }
        }
        return ROWS.get(name);
    }

    static boolean isQuiet(Method method) {
        return QUIET.contains(name(method))
                || QUIET.contains(method.getDeclaringClass().getSimpleName() + ".*");
    }

    private static String name(Method method) {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }

    private static Map<String, VerbRow> rows() {
        Rows rows = new Rows();
        DeviceVerbs.addTo(rows);
        QueueVerbs.addTo(rows);
        ConnectionVerbs.addTo(rows);
        return rows.all;
    }

    /// Builds the table.
    static final class Rows {
        private final Map<String, VerbRow> all = new HashMap<>();

        Rows before(String method, String verb, Show show) {
            return add(method, verb, When.BEFORE, show);
        }

        Rows after(String method, String verb, Show show) {
            return add(method, verb, When.AFTER, show);
        }

        Rows found(String method, String verb, Show show) {
            return add(method, verb, When.FOUND, show);
        }

        Rows once(String method, String verb, Show show) {
            return add(method, verb, When.ONCE, show);
        }

        private Rows add(String method, String verb, When when, Show show) {
            if (all.put(method, new VerbRow(verb, when, show)) != null) {
                throw new IllegalStateException("two rows for " + method);
            }
            return this;
        }
    }
}
