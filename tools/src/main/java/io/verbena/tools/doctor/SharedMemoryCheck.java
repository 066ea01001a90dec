package io.verbena.tools.doctor;

import io.verbena.tools.device.SoftPath;
import java.util.List;

/// Shared memory between processes of this machine.
///
/// - `path`: which way the software device is told to go
record SharedMemoryCheck(String path) implements Check {
    private static final long ENOUGH = 64L << 20;

    static SharedMemoryCheck here() {
        return new SharedMemoryCheck(SoftPath.said());
    }

    @Override
    public List<Finding> run(Machine machine) {
        if (!machine.isLinux()) {
            return List.of();
        }
        if (path.equalsIgnoreCase("udp")) {
            return List.of(Finding.ok("shared memory", "not used: verbena.soft.path is udp"));
        }
        if (!machine.isOpen("dev/shm")) {
            return List.of(Finding.warning(
                    "shared memory", "/dev/shm is missing or closed to this user", "mount -t tmpfs tmpfs /dev/shm"));
        }
        long free = machine.freeBytes("dev/shm");
        String text = "/dev/shm has " + (free >> 20) + " MiB free";
        return List.of(
                free >= ENOUGH
                        ? Finding.ok("shared memory", text)
                        : Finding.warning(
                                "shared memory",
                                text,
                                "mount -o remount,size=1g /dev/shm; in a container: docker run --shm-size=1g ..."));
    }
}
