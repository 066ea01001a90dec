package io.verbena.tools.doctor;

import io.verbena.tools.device.PathSeen;
import io.verbena.tools.device.SoftPath;
import io.verbena.verbs.spi.Availability;
import java.util.List;
import java.util.function.Function;

/// Shared memory between processes of this machine: whether a software device has it, and whether `/proc` shows what
/// two processes need to find each other.
///
/// - `path`: the path that the options demand of the software device
/// - `ask`: opens the software device of an address and returns whether it has shared memory, or throws
record SharedMemoryCheck(String path, Function<String, Availability> ask) implements Check {
    private static final String SUBJECT = "shared memory";
    /// Where the memory of other processes is opened, and where their devices are announced.
    private static final List<String> NEEDED = List.of("proc/self/fd", "proc/thread-self/net/unix");

    static SharedMemoryCheck here() {
        return new SharedMemoryCheck(
                SoftPath.said(),
                address -> SoftDeviceCheck.ask(
                        address,
                        context -> context.paths()
                                .getOrDefault(
                                        PathSeen.SHARED_MEMORY,
                                        Availability.unavailable("the software device has none", "use UDP"))));
    }

    @Override
    public List<Finding> run(Machine machine) {
        if (!machine.isLinux()) {
            return List.of();
        }
        if (path.equalsIgnoreCase("udp")) {
            return List.of(Finding.ok(SUBJECT, "not used: verbena.soft.path is udp"));
        }
        for (String needed : NEEDED) {
            if (!machine.isReadable(needed)) {
                return List.of(Finding.warning(
                        SUBJECT,
                        "/" + needed + " cannot be read, so processes do not find each other",
                        "mount -t proc proc /proc; or let the container's security profile allow it"));
            }
        }
        return judge(machine);
    }

    /// Empty when no device opens: SoftDeviceCheck reports why.
    private List<Finding> judge(Machine machine) {
        for (String address : SoftDeviceCheck.ADDRESSES) {
            try {
                return List.of(finding(ask.apply(address), machine));
            } catch (RuntimeException e) {
                // the address is in use, for example
            }
        }
        return List.of();
    }

    private static Finding finding(Availability availability, Machine machine) {
        if (!availability.isAvailable()) {
            ErrorText text = ErrorText.of(availability.cause());
            return Finding.warning(SUBJECT, text.cause(), text.remedyOr(availability.remedy()));
        }
        String found = "works between processes of one user";
        return ContainerCheck.isContainer(machine)
                ? Finding.ok(
                        SUBJECT,
                        found,
                        "with another container: docker run --pid=container:NAME --network=container:NAME ...")
                : Finding.ok(SUBJECT, found);
    }
}
