package io.verbena.soft.net;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Who holds UDP port 4791 of an address, as far as the system tells: the remedy depends on it.
enum PortOwner {
    KERNEL("UDP port %2$d of all addresses belongs to the kernel's soft-RoCE (module rdma_rxe);"
            + " run in another network namespace, or unload it with `modprobe -r rdma_rxe`"),
    ALL_ADDRESSES("a program holds UDP port %2$d of all addresses;"
            + " stop it (`ss -lunp sport = :%2$d` shows it), or run in another network namespace"),
    ONE_ADDRESS("UDP port %2$d of %1$s is taken by another Verbena process or program;"
            + " stop it (`ss -lunp sport = :%2$d` shows it), or %3$s"),
    UNKNOWN("UDP port %2$d of %1$s is taken by another Verbena process or program, or by the kernel's soft-RoCE"
            + " (module rdma_rxe, which takes all addresses); stop it, or %3$s, or run in another network namespace");

    private static final int ADDRESS_COLUMN = 1;

    private final String explanation;

    PortOwner(String explanation) {
        this.explanation = explanation;
    }

    String explain(InetAddress local) {
        String other = local.isLoopbackAddress() && local instanceof Inet4Address
                ? "use another loopback address, such as 127.0.0.2 (all of 127.x.y.z is this host)"
                : "use another address of this host";
        return explanation.formatted(AddressText.of(local), Wires.PORT, other);
    }

    static PortOwner find(InetAddress local) {
        return find(local, Path.of("/"));
    }

    /// Reads `proc` and `sys` under `root`.
    static PortOwner find(InetAddress local, Path root) {
        List<String> sockets = sockets(root.resolve("proc/net/udp"));
        List<String> sockets6 = sockets(root.resolve("proc/net/udp6"));
        boolean four = local instanceof Inet4Address;
        if ((four ? sockets : sockets6).contains(row(local.getAddress()))) {
            return ONE_ADDRESS;
        }
        boolean module = Files.exists(root.resolve("sys/module/rdma_rxe"));
        if (sockets.contains(row(new byte[4])) || sockets6.contains(row(new byte[16]))) {
            return module ? KERNEL : ALL_ADDRESSES;
        }
        return module ? KERNEL : UNKNOWN;
    }

    /// The address column of all rows; empty on systems that have no such file.
    private static List<String> sockets(Path table) {
        try {
            return Files.readAllLines(table).stream()
                    .map(line -> line.trim().split("\\s+"))
                    .filter(columns -> columns.length > ADDRESS_COLUMN)
                    .map(columns -> columns[ADDRESS_COLUMN])
                    .toList();
        } catch (IOException absent) {
            return List.of();
        }
    }

    /// How the kernel prints an address and port: each 32-bit word as the machine reads it, in hex.
    private static String row(byte[] address) {
        StringBuilder text = new StringBuilder();
        ByteBuffer words = ByteBuffer.wrap(address).order(ByteOrder.nativeOrder());
        while (words.hasRemaining()) {
            text.append("%08X".formatted(words.getInt()));
        }
        return text.append(":%04X".formatted(Wires.PORT)).toString();
    }
}
