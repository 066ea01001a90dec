package io.verbena.tools.doctor;

import io.verbena.verbs.Context;
import io.verbena.verbs.Rdma;
import io.verbena.verbs.RdmaException;
import java.util.List;
import java.util.function.Consumer;

/// Whether a software device can be opened on loopback. Without that nothing works here.
final class SoftDeviceCheck implements Check {
    private static final List<String> ADDRESSES = List.of("127.0.0.1", "127.0.0.2", "127.93.71.5");

    private final Consumer<String> open;

    /// @param open opens and closes the device of that address, or throws
    SoftDeviceCheck(Consumer<String> open) {
        this.open = open;
    }

    static SoftDeviceCheck here() {
        return new SoftDeviceCheck(address -> {
            try (Context context = Rdma.provider("soft")
                    .device(address)
                    .orElseThrow(() -> new IllegalStateException(address + " is no address of this machine"))
                    .open()) {
                context.attributes();
            }
        });
    }

    @Override
    public List<Finding> run(Machine machine) {
        RuntimeException first = null;
        for (String address : ADDRESSES) {
            try {
                open.accept(address);
                return List.of(Finding.ok("software device", "works on " + address));
            } catch (RuntimeException e) {
                first = first == null ? e : first;
            }
        }
        return List.of(Finding.problem("software device", message(first), remedy(machine)));
    }

    private static String message(RuntimeException e) {
        return e instanceof RdmaException || e.getMessage() != null ? e.getMessage() : e.toString();
    }

    private static String remedy(Machine machine) {
        return machine.exists("sys/module/rdma_rxe")
                ? "ip netns exec NAME ... (rxe holds UDP port 4791 of this network namespace), or modprobe -r rdma_rxe"
                : "ip link set lo up; ss -lunp 'sport = :4791' shows who holds the UDP port";
    }
}
