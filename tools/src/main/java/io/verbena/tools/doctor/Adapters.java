package io.verbena.tools.doctor;

import java.util.ArrayList;
import java.util.List;

/// The RDMA devices of the kernel, as sysfs shows them.
final class Adapters {
    private static final String DEVICES = "sys/class/infiniband";

    /// One port of one device. `folder` is its place in sysfs.
    record Port(String device, String number, String folder) {
        /// The name as the command rdma writes it, for example `rxe0/1`.
        String name() {
            return device + "/" + number;
        }
    }

    private Adapters() {}

    static boolean any(Machine machine) {
        return !machine.names(DEVICES).isEmpty();
    }

    static List<Port> ports(Machine machine) {
        List<Port> ports = new ArrayList<>();
        for (String device : machine.names(DEVICES)) {
            String folder = DEVICES + "/" + device + "/ports";
            for (String number : machine.names(folder)) {
                ports.add(new Port(device, number, folder + "/" + number));
            }
        }
        return ports;
    }

    /// The network interface of the port's first GID, or empty.
    static String netdev(Machine machine, Port port) {
        String folder = port.folder + "/gid_attrs/ndevs";
        return machine.names(folder).stream()
                .map(index -> machine.line(folder + "/" + index))
                .filter(name -> !name.isEmpty())
                .findFirst()
                .orElse("");
    }

    static boolean isEthernet(Machine machine, Port port) {
        return machine.line(port.folder + "/link_layer").equals("Ethernet");
    }
}
