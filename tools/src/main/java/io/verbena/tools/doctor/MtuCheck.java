package io.verbena.tools.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// The MTU of the network interfaces, and what it means for RDMA: the largest power of two that fits beside the
/// headers.
final class MtuCheck implements Check {
    private static final String INTERFACES = "sys/class/net";
    /// IP, UDP, BTH, the largest extension and the checksum, as rxe counts them.
    private static final int HEADERS = 80;
    private static final int LARGEST = 4096;
    private static final int SMALLEST = 256;
    /// A round number that holds the largest payload with its headers.
    private static final int JUMBO = 4200;

    @Override
    public List<Finding> run(Machine machine) {
        List<Finding> findings = new ArrayList<>();
        for (String name : machine.names(INTERFACES)) {
            long mtu = machine.number(INTERFACES + "/" + name + "/mtu");
            boolean down = machine.line(INTERFACES + "/" + name + "/operstate").equals("down");
            if (mtu > 0 && !down) {
                findings.add(judge(name, mtu));
            }
        }
        return findings;
    }

    private static Finding judge(String name, long mtu) {
        int path = path(mtu);
        String jumbo = "ip link set dev " + name + " mtu " + JUMBO + " (on both ends and the switch)";
        if (path < SMALLEST) {
            return Finding.warning("MTU " + name, mtu + ": too small for RDMA", jumbo);
        }
        String text = mtu + ", path MTU " + path;
        return path == LARGEST
                ? Finding.ok("MTU " + name, text)
                : Finding.ok("MTU " + name, text, "for path MTU " + LARGEST + ": " + jumbo);
    }

    static int path(long mtu) {
        return IntStream.iterate(LARGEST, size -> size >= SMALLEST, size -> size / 2)
                .filter(size -> size + HEADERS <= mtu)
                .findFirst()
                .orElse(0);
    }
}
