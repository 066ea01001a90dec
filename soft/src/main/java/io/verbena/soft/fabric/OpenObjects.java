package io.verbena.soft.fabric;

import io.verbena.soft.device.SoftContext;
import io.verbena.soft.device.SoftDevice;
import io.verbena.verbs.AddressHandle;
import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Context;
import io.verbena.verbs.Device;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.MemoryWindow;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.SharedReceiveQueue;
import io.verbena.verbs.cm.ConnectionId;
import java.util.ArrayList;
import java.util.List;

/// Lists the objects of a software device that programs have not closed, for leak checks in tests.
///
/// ```java
/// assertEquals(List.of(), OpenObjects.of(device));
/// ```
public final class OpenObjects {
    /// The most of one kind that are named.
    private static final int NAMED = 5;

    private record Kind(Class<?> type, String one) {
        String text(List<AutoCloseable> open) {
            List<String> names =
                    open.stream().filter(type::isInstance).map(Object::toString).toList();
            String all = String.join(", ", names.subList(0, Math.min(NAMED, names.size())));
            return names.isEmpty()
                    ? ""
                    : names.size() == 1
                            ? "1 " + one + " (" + all + ")"
                            : names.size() + " " + one + "s (" + all + (names.size() > NAMED ? ", ..." : "") + ")";
        }
    }

    private static final List<Kind> KINDS = List.of(
            new Kind(ConnectionId.class, "connection id"),
            new Kind(Context.class, "context"),
            new Kind(ProtectionDomain.class, "protection domain"),
            new Kind(QueuePair.class, "queue pair"),
            new Kind(CompletionQueue.class, "completion queue"),
            new Kind(CompletionChannel.class, "completion channel"),
            new Kind(SharedReceiveQueue.class, "shared receive queue"),
            new Kind(MemoryRegion.class, "memory region"),
            new Kind(MemoryWindow.class, "memory window"),
            new Kind(AddressHandle.class, "address handle"));

    private OpenObjects() {}

    /// Kind, number and names of the open objects of the device; empty when nothing is, or when only the connection
    /// manager still waits for late messages. Empty for devices of other providers.
    public static List<String> of(Device device) {
        List<AutoCloseable> open = listOf(device);
        return open.isEmpty() ? List.of() : List.of(device.name() + ": " + text(open));
    }

    /// Whether the device has a socket or a simulated wire: something is open, or late messages of connections that are
    /// over are waited for.
    public static boolean isInUse(Device device) {
        return device instanceof SoftDevice soft && soft.isOpen();
    }

    /// Closes everything that is open of the device: connection ids first.
    public static void closeAll(Device device) {
        for (AutoCloseable open : listOf(device)) {
            if (open instanceof ConnectionId id) {
                id.close();
            }
        }
        if (device instanceof SoftDevice soft) {
            soft.contexts().forEach(OpenObjects::closeAll);
        }
    }

    private static void closeAll(SoftContext context) {
        try {
            context.closeAll();
        } catch (RdmaException e) {
            // A context of the connection manager, which closes it when no late messages can come any more.
            if (e.errno() != Errno.EBUSY || context.openObjects().contains(context)) {
                throw e;
            }
        }
    }

    static List<AutoCloseable> listOf(Device device) {
        List<AutoCloseable> open = new ArrayList<>();
        if (device instanceof SoftDevice soft) {
            soft.contexts().forEach(context -> open.addAll(context.openObjects()));
        }
        return open;
    }

    static String text(List<AutoCloseable> open) {
        return KINDS.stream()
                .map(kind -> kind.text(open))
                .filter(text -> !text.isEmpty())
                .reduce((a, b) -> a + ", " + b)
                .orElse(open.toString());
    }
}
