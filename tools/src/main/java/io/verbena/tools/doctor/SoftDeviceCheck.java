package io.verbena.tools.doctor;

import io.verbena.tools.device.DeviceOptions;
import io.verbena.verbs.Context;
import io.verbena.verbs.Errno;
import io.verbena.verbs.Rdma;
import io.verbena.verbs.RdmaException;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/// Whether a software device can be opened on loopback. Without that, and without an adapter, nothing works here.
///
/// - `open`: opens and closes the device of that address, or throws
/// - `hasAdapter`: whether programs can use an adapter instead
record SoftDeviceCheck(Consumer<String> open, BooleanSupplier hasAdapter) implements Check {
    static final List<String> ADDRESSES = List.of("127.0.0.1", "127.0.0.2", "127.93.71.5");

    static SoftDeviceCheck here() {
        return new SoftDeviceCheck(address -> ask(address, Context::attributes), SoftDeviceCheck::hasAdapterHere);
    }

    /// Opens the software device of that address, asks it something and closes it.
    static <T> T ask(String address, Function<Context, T> question) {
        try (Context context = Rdma.provider(DeviceOptions.SOFT)
                .device(address)
                .orElseThrow(() -> new IllegalStateException(address + " is no address of this machine"))
                .open()) {
            return question.apply(context);
        }
    }

    private static boolean hasAdapterHere() {
        return Rdma.providers().stream()
                .filter(provider -> !provider.name().equals(DeviceOptions.SOFT))
                .anyMatch(provider -> provider.availability().isAvailable()
                        && !provider.devices().isEmpty());
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
        if (first instanceof RdmaException wrong
                && (wrong.errno() == Errno.EINVAL || wrong.errno() == Errno.EOPNOTSUPP)) {
            // a wrong property: only the message knows which, and what is right
            ErrorText text = ErrorText.of(wrong.getMessage());
            return List.of(Finding.problem("software device", text.cause(), text.remedyOr(text.cause())));
        }
        Level level = hasAdapter.getAsBoolean() ? Level.WARNING : Level.PROBLEM;
        return List.of(new Finding(level, "software device", cause(first), remedy(machine)));
    }

    /// The message without its remedy: the line below has one.
    private static String cause(RuntimeException e) {
        String message = e.getMessage() == null ? e.toString() : e.getMessage();
        return message.replaceFirst(";.*", "");
    }

    private static String remedy(Machine machine) {
        return machine.exists("sys/module/rdma_rxe")
                ? "use --device native; or run in another network namespace: ip netns exec NAME ...; or modprobe -r rdma_rxe"
                : "ip link set lo up; ss -lunp 'sport = :4791' shows who holds the UDP port";
    }
}
