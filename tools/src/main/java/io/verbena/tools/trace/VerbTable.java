package io.verbena.tools.trace;

import io.verbena.tools.trace.Verb.Show;
import io.verbena.tools.trace.Verb.When;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Which method of the API is which verb of C.
///
/// Rows are named `Type.method`, or `Type.method(FirstParameter)` where overloads are different verbs. A method that
/// is neither here nor among the [#QUIET] is handed on and not told; a test says so.
final class VerbTable {
    private static final Map<String, Verb> ROWS = rows();
    private static final Map<Method, Optional<Verb>> FOUND = new ConcurrentHashMap<>();

    /// Methods that ask nothing of the device: getters, and what is told in another way. `Type.*` for all of a type.
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
            "CompletionQueue.poll", // its completions are told
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
            "SendRequest.*", // told when they are posted
            "ReceiveRequest.*",
            "Pollable.isReady",
            "Pollable.newPoller",
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
            "ConnectionId.awaitRequest", // the event it brings is told
            "ConnectionId.event",
            "EventChannel.await",
            "EventChannel.tryTake");

    private VerbTable() {}

    /// The row of a method, or null when it is not told.
    static Verb find(Method method) {
        return FOUND.computeIfAbsent(method, m -> Optional.ofNullable(lookUp(m)))
                .orElse(null);
    }

    private static Verb lookUp(Method method) {
        String name = name(method);
        if (method.getParameterCount() > 0) {
            Verb row = ROWS.get(name + "(" + method.getParameterTypes()[0].getSimpleName() + ")");
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

    private static Map<String, Verb> rows() {
        Rows rows = new Rows();
        DeviceVerbs.addTo(rows);
        QueueVerbs.addTo(rows);
        ConnectionVerbs.addTo(rows);
        return rows.all;
    }

    /// The table while it is written.
    static final class Rows {
        private final Map<String, Verb> all = new HashMap<>();

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
            if (all.put(method, new Verb(verb, when, show)) != null) {
                throw new IllegalStateException("two rows for " + method);
            }
            return this;
        }
    }
}
