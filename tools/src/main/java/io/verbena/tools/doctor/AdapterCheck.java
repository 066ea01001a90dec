package io.verbena.tools.doctor;

import io.verbena.tools.doctor.Adapters.Port;
import java.util.List;

/// Every port of the kernel's RDMA devices and its state.
final class AdapterCheck implements Check {
    @Override
    public List<Finding> run(Machine machine) {
        if (!machine.isLinux()) {
            return List.of();
        }
        List<Port> ports = Adapters.ports(machine);
        if (ports.isEmpty()) {
            return List.of(Finding.warning(
                    "adapters",
                    "the kernel has no RDMA device; the software device needs none",
                    "modprobe -a ib_uverbs rdma_ucm mlx5_ib (or your adapter's driver); without an adapter:"
                            + " modprobe rdma_rxe; rdma link add rxe0 type rxe netdev eth0"));
        }
        return ports.stream().map(port -> look(machine, port)).toList();
    }

    /// The kernel's format is `4: ACTIVE`.
    private static Finding look(Machine machine, Port port) {
        String state = machine.line(port.folder() + "/state").replaceFirst("^\\d+: *", "");
        String layer = machine.line(port.folder() + "/link_layer");
        String netdev = Adapters.netdev(machine, port);
        String text = state + ", " + layer + (netdev.isEmpty() ? "" : ", on " + netdev);
        if (state.equals("ACTIVE")) {
            return Finding.ok("port " + port.name(), text);
        }
        return Finding.warning(
                "port " + port.name(),
                text + ": nothing can be sent",
                Adapters.isEthernet(machine, port)
                        ? "ip link set " + (netdev.isEmpty() ? "INTERFACE" : netdev) + " up, and check the cable"
                        : "check the cable, and that a subnet manager runs (opensm)");
    }
}
