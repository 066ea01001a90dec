package io.verbena.tools.doctor;

import io.verbena.tools.text.ProgramName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Which programs hold UDP port 4791, the port of RoCEv2: some for single addresses, or the kernel for all.
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
        Map<String, String> holders = holders(machine);
        if (holders.isEmpty()) {
            return List.of(Finding.ok(SUBJECT, "free on all addresses"));
        }
        if (holders.keySet().stream().anyMatch(PortCheck::isAll)) {
            return List.of(allAddresses(machine, holders));
        }
        String text = addressesByHolder(machine, holders).entrySet().stream()
                .map(entry -> isHeld(entry.getValue()) + entry.getKey())
                .collect(Collectors.joining("; "));
        return List.of(Finding.ok(
                SUBJECT,
                text,
                "processes of one user share an address; others are free, such as " + freeLoopback(holders.keySet())));
    }

    /// The addresses whose port is taken, each with the number of a socket there.
    static Map<String, String> holders(Machine machine) {
        Map<String, String> holders = new LinkedHashMap<>();
        for (String table : List.of("proc/net/udp", "proc/net/udp6")) {
            for (String line : machine.lines(table)) {
                String[] columns = line.strip().split("\\s+");
                if (columns.length > INODE && columns[LOCAL].endsWith(":%04X".formatted(PORT))) {
                    holders.put(SocketAddressText.of(columns[LOCAL]), columns[INODE]);
                }
            }
        }
        return holders;
    }

    static boolean isAll(String address) {
        return address.equals("0.0.0.0") || address.equals("::");
    }

    /// A holder of all addresses has them in both tables. Beside it nobody else matters.
    private static Finding allAddresses(Machine machine, Map<String, String> holders) {
        if (machine.exists("sys/module/rdma_rxe")) {
            return Finding.warning(
                    SUBJECT,
                    "all addresses belong to the kernel's soft-RoCE: no software device here",
                    "use --provider rdmacore, or another network namespace: ip netns exec NAME ...");
        }
        String inode = holders.entrySet().stream()
                .filter(entry -> isAll(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow();
        return Finding.warning(
                SUBJECT,
                "all addresses are held by " + holder(machine, inode) + ": no software device here",
                "stop it: ss -lunp 'sport = :4791'");
    }

    private static Map<String, List<String>> addressesByHolder(Machine machine, Map<String, String> holders) {
        Map<String, List<String>> addresses = new LinkedHashMap<>();
        holders.forEach((address, inode) -> addresses
                .computeIfAbsent(holder(machine, inode), holder -> new ArrayList<>())
                .add(address));
        return addresses;
    }

    private static String isHeld(List<String> addresses) {
        int last = addresses.size() - 1;
        return last == 0
                ? addresses.getFirst() + " is held by "
                : String.join(", ", addresses.subList(0, last)) + " and " + addresses.get(last) + " are held by ";
    }

    private static String freeLoopback(Set<String> taken) {
        return IntStream.iterate(2, i -> i + 1)
                .mapToObj(i -> "127.0." + i / 256 + "." + i % 256)
                .filter(address -> !taken.contains(address))
                .findFirst()
                .orElseThrow();
    }

    /// The processes that have the socket with that number open, as far as this user may see.
    private static String holder(Machine machine, String inode) {
        String wanted = "socket:[" + inode + "]";
        String all = machine.names("proc").stream()
                .filter(pid -> Character.isDigit(pid.charAt(0)))
                .filter(pid -> hasOpen(machine, "proc/" + pid + "/fd", wanted))
                .map(pid -> name(machine, pid) + ", process " + pid)
                .collect(Collectors.joining(", and "));
        return all.isEmpty() ? "a program of another user" : all;
    }

    private static String name(Machine machine, String pid) {
        String known = ProgramName.of(machine.line("proc/" + pid + "/cmdline"));
        return known.isEmpty() ? machine.line("proc/" + pid + "/comm") : known;
    }

    private static boolean hasOpen(Machine machine, String folder, String wanted) {
        return machine.names(folder).stream()
                .anyMatch(descriptor -> machine.link(folder + "/" + descriptor).equals(wanted));
    }
}
