package io.verbena.tools.doctor;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Who holds UDP port 4791, the port of RoCEv2: one program for each address, or the kernel for all.
final class PortCheck implements Check {
    private static final int PORT = 4791;
    private static final int LOCAL = 1;
    private static final int INODE = 9;
    private static final String SUBJECT = "UDP port " + PORT;

    @Override
    public List<Finding> run(Machine machine) {
        if (!machine.exists("proc/net/udp")) {
            return List.of();
        }
        Map<String, String> holders = new LinkedHashMap<>();
        for (String table : List.of("proc/net/udp", "proc/net/udp6")) {
            for (String line : machine.lines(table)) {
                String[] columns = line.strip().split("\\s+");
                if (columns.length > INODE && columns[LOCAL].endsWith(":%04X".formatted(PORT))) {
                    holders.put(SocketAddressText.of(columns[LOCAL]), columns[INODE]);
                }
            }
        }
        if (holders.isEmpty()) {
            return List.of(Finding.ok(SUBJECT, "free on all addresses"));
        }
        // a holder of all addresses has them in both tables
        return holders.entrySet().stream()
                .map(holder -> look(machine, holder.getKey(), holder.getValue()))
                .distinct()
                .toList();
    }

    private static Finding look(Machine machine, String address, String inode) {
        boolean all = address.equals("0.0.0.0") || address.equals("::");
        String where = all ? "all addresses" : address;
        if (all && machine.exists("sys/module/rdma_rxe")) {
            return Finding.warning(
                    SUBJECT,
                    where + " belong to the kernel's soft-RoCE: no software device here",
                    "use --provider rdmacore, or another network namespace: ip netns exec NAME ...");
        }
        String holder = holder(machine, inode);
        String text = where + " is held by " + (holder.isEmpty() ? "a program of another user" : holder);
        return all
                ? Finding.warning(SUBJECT, text + ": no software device here", "stop it: ss -lunp 'sport = :4791'")
                : Finding.ok(SUBJECT, text, "other addresses are free, such as 127.0.0.2 beside 127.0.0.1");
    }

    /// The process that has the socket with that number open, as far as this user may see.
    private static String holder(Machine machine, String inode) {
        String wanted = "socket:[" + inode + "]";
        for (String pid : machine.names("proc")) {
            if (!Character.isDigit(pid.charAt(0))) {
                continue;
            }
            String folder = "proc/" + pid + "/fd";
            for (String descriptor : machine.names(folder)) {
                if (machine.link(folder + "/" + descriptor).equals(wanted)) {
                    return machine.line("proc/" + pid + "/comm") + ", process " + pid;
                }
            }
        }
        return "";
    }
}
