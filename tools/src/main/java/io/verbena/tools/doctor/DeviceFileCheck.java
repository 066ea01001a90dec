package io.verbena.tools.doctor;

import java.util.ArrayList;
import java.util.List;

/// The device files, and whether this user may open them.
final class DeviceFileCheck implements Check {
    private static final String FOLDER = "dev/infiniband";

    @Override
    public boolean needsAdapter() {
        return true;
    }

    @Override
    public List<Finding> run(Machine machine) {
        if (!machine.isLinux()) {
            return List.of();
        }
        List<String> names = machine.names(FOLDER);
        List<String> devices =
                names.stream().filter(name -> name.startsWith("uverbs")).toList();
        List<Finding> findings = new ArrayList<>();
        if (devices.isEmpty()) {
            findings.add(Finding.warning(
                    "device files",
                    "no /dev/infiniband/uverbs*: no adapter can be opened",
                    Adapters.any(machine)
                            ? "modprobe ib_uverbs; in a container: docker run --device=/dev/infiniband ..."
                            : "modprobe ib_uverbs, after the adapter's driver"));
        }
        devices.forEach(name -> findings.add(look(machine, name)));
        if (names.contains("rdma_cm")) {
            findings.add(look(machine, "rdma_cm"));
        } else if (!devices.isEmpty()) {
            findings.add(Finding.warning(
                    "device files", "no /dev/infiniband/rdma_cm: no connection manager", "modprobe rdma_ucm"));
        }
        return findings;
    }

    private static Finding look(Machine machine, String name) {
        String file = "/" + FOLDER + "/" + name;
        return machine.isOpen(FOLDER + "/" + name)
                ? Finding.ok("device files", file + " may be opened")
                : Finding.warning("device files", "no permission for " + file, "sudo chmod 666 " + file);
    }
}
