package io.verbena.tools.doctor;

import io.verbena.tools.doctor.Adapters.Port;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The GIDs of Ethernet ports. RoCEv2 over IPv4, which nearly everybody uses, needs one of that type.
final class GidCheck implements Check {
    private static final String EMPTY = "0000:0000:0000:0000:0000:0000:0000:0000";
    private static final String IPV4 = "0000:0000:0000:0000:0000:ffff:";

    private record Row(String index, String gid, String type) {}

    @Override
    public List<Finding> run(Machine machine) {
        List<Finding> findings = new ArrayList<>();
        for (Port port : Adapters.ports(machine)) {
            if (Adapters.isEthernet(machine, port)) {
                findings.add(look(machine, port));
            }
        }
        return findings;
    }

    private static Finding look(Machine machine, Port port) {
        String subject = "GIDs " + port.name();
        List<Row> rows = machine.names(port.folder() + "/gids").stream()
                .sorted(Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder())) // numbers
                .map(index -> new Row(
                        index,
                        machine.line(port.folder() + "/gids/" + index),
                        machine.line(port.folder() + "/gid_attrs/types/" + index)))
                .filter(row -> !row.gid.isEmpty() && !row.gid.equals(EMPTY))
                .toList();
        String netdev = Adapters.netdev(machine, port);
        return rows.stream()
                .filter(row -> row.type.equals("RoCE v2") && row.gid.startsWith(IPV4))
                .findFirst()
                .map(row -> Finding.ok(
                        subject,
                        rows.size() + ", RoCEv2 over IPv4 is index " + row.index + " (" + address(row.gid) + ")"))
                .orElseGet(() -> Finding.warning(
                        subject,
                        rows.size() + ", but none of RoCEv2 over IPv4",
                        "ip addr add 192.0.2.1/24 dev " + (netdev.isEmpty() ? "INTERFACE" : netdev)
                                + " (an address of your network)"));
    }

    /// `...:ffff:0a4d:0001` is 10.77.0.1.
    private static String address(String gid) {
        long bits = Long.parseLong(gid.substring(IPV4.length()).replace(":", ""), 16);
        return (bits >> 24) + "." + (bits >> 16 & 0xFF) + "." + (bits >> 8 & 0xFF) + "." + (bits & 0xFF);
    }
}
