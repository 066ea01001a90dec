package io.verbena.tools.trace;

import io.verbena.tools.trace.VerbRow.Show;
import io.verbena.tools.trace.VerbRow.When;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/// The table of the C verb of each method of the API.
///
/// Rows are named `Type.method`, or `Type.method(FirstParameter)` where overloads are different verbs. A method that is
/// neither here nor in [#QUIET] is forwarded and not recorded, and fails a test.
final class VerbTable {
    private static final Map<String, VerbRow> ROWS = rows();
    private static final Map<Method, Optional<VerbRow>> FOUND = new ConcurrentHashMap<>();

    /// Methods that are not recorded: getters, and those that are recorded otherwise: `poll` by its completions,
    /// `awaitRequest` by its event, requests when they are posted. `*` stands for all methods of a type.
    static final Set<String> QUIET = quiet("""
            RdmaProvider: name availability connectionManager
            Device: name provider guid nodeType transportType kernelName
            Context: device counters paths shards completionVectors asyncEvents
            ProtectionDomain: context
            MemoryRegion: protectionDomain memory address length lkey rkey access remote
            MemoryWindow: protectionDomain type rkey
            AddressHandle: protectionDomain address
            CompletionQueue: context channel capacity poll
            CompletionChannel: context
            SharedReceiveQueue: protectionDomain newReceiveRequest
            QueuePair: protectionDomain number type state capabilities sendCq receiveCq newSendRequest
            QueuePair: newReceiveRequest
            SendRequest: *
            ReceiveRequest: *
            Pollable: isReady newPoller unwrap
            Poller: add remove close
            ConnectionId: portSpace channel attachment context port protectionDomain queuePair localAddress
            ConnectionId: peerAddress timeout awaitRequest event
            EventChannel: await tryTake
            """);

    private VerbTable() {}

    /// By `Type.method`, of lines with a type and its methods.
    private static Set<String> quiet(String lines) {
        return lines.lines()
                .flatMap(line -> {
                    String[] words = line.split(":? ");
                    return Arrays.stream(words).skip(1).map(method -> words[0] + "." + method);
                })
                .collect(Collectors.toUnmodifiableSet());
    }

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
