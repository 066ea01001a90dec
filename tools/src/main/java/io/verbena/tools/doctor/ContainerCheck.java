package io.verbena.tools.doctor;

import java.util.List;

/// Containers hide devices and limit pinned memory unless told not to.
final class ContainerCheck implements Check {
    private static final List<String> SIGNS = List.of("docker", "kubepods", "containerd", "lxc", "podman");

    @Override
    public List<Finding> run(Machine machine) {
        if (!isContainer(machine)) {
            return List.of();
        }
        return List.of(Finding.ok(
                "container",
                "running inside a container",
                "to use an adapter: docker run --device=/dev/infiniband --cap-add=IPC_LOCK --ulimit memlock=-1"
                        + " --network=host ..."));
    }

    static boolean isContainer(Machine machine) {
        return machine.exists(".dockerenv")
                || machine.exists("run/.containerenv")
                || machine.lines("proc/1/cgroup").stream()
                        .anyMatch(line -> SIGNS.stream().anyMatch(line::contains));
    }
}
