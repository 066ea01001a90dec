package io.verbena.soft.net;

import io.verbena.soft.shard.SocketOpener;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The owner of UDP port 4791 of an address, as far as the system shows it. The remedy depends on it.
enum PortOwner {
    KERNEL("UDP port %2$d of all addresses belongs to the kernel's soft-RoCE (module rdma_rxe);"
            + " run in another network namespace, or unload it with `modprobe -r rdma_rxe`"),
    ALL_ADDRESSES(
            "UDP port %2$d of all addresses is taken by %4$s;" + " stop it%5$s, or run in another network namespace"),
    ONE_ADDRESS("UDP port %2$d of %1$s is taken by %4$s; stop it%5$s, or %3$s"),
    UNKNOWN("UDP port %2$d of %1$s is taken by another Verbena process or program, or by the kernel's soft-RoCE"
            + " (module rdma_rxe, which takes all addresses); stop it, or %3$s, or run in another network namespace");

    private static final int ADDRESS_COLUMN = 1;
    private static final int USER_COLUMN = 7;
    private static final int INODE_COLUMN = 9;

    private final String explanation;

    PortOwner(String explanation) {
        this.explanation = explanation;
    }

    String explain(InetAddress local) {
        return explain(local, Path.of("/"));
    }

    /// Reads `proc` under `root`.
    String explain(InetAddress local, Path root) {
        String other = local.isLoopbackAddress() && local instanceof Inet4Address
                ? "use another loopback address, such as %s (all of 127.x.y.z is this host)"
                        .formatted(AddressText.of(local).equals("127.0.0.2") ? "127.0.0.3" : "127.0.0.2")
                : "use another address of this host";
        PortHolder holder = holder(local, root);
        String find = holder.isKnown() ? "" : " (`ss -lunp sport = :" + Wires.PORT + "` shows it)";
        return explanation.formatted(AddressText.of(local), Wires.PORT, other, holder.text(), find);
    }

    private PortHolder holder(InetAddress local, Path root) {
        List<String> wanted =
                this == ONE_ADDRESS ? List.of(row(local.getAddress())) : List.of(row(new byte[4]), row(new byte[16]));
        return Stream.of("proc/net/udp", "proc/net/udp6")
                .flatMap(table -> rows(root.resolve(table)))
                .filter(columns -> columns.length > INODE_COLUMN && wanted.contains(columns[ADDRESS_COLUMN]))
                .findFirst()
                .map(columns -> PortHolder.find(columns[INODE_COLUMN], root))
                .orElse(PortHolder.UNKNOWN);
    }

    /// Whose sockets are bound to the port of that very address.
    static SocketOpener.Bound bound(InetAddress local, int user) {
        return bound(local, user, Path.of("/"));
    }

    /// Reads `proc` under `root`.
    static SocketOpener.Bound bound(InetAddress local, int user, Path root) {
        String row = row(local.getAddress());
        List<String> users = rows(root.resolve(local instanceof Inet4Address ? "proc/net/udp" : "proc/net/udp6"))
                .filter(columns -> columns.length > USER_COLUMN && columns[ADDRESS_COLUMN].equals(row))
                .map(columns -> columns[USER_COLUMN])
                .toList();
        String own = Integer.toUnsignedString(user);
        if (!users.stream().allMatch(own::equals)) {
            return SocketOpener.Bound.BY_ANOTHER_USER;
        }
        return users.size() > 1 ? SocketOpener.Bound.SEVERAL : SocketOpener.Bound.AT_MOST_ONE;
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
        return rows(table).map(columns -> columns[ADDRESS_COLUMN]).toList();
    }

    private static Stream<String[]> rows(Path table) {
        try {
            return Files.readAllLines(table).stream()
                    .map(line -> line.trim().split("\\s+"))
                    .filter(columns -> columns.length > ADDRESS_COLUMN);
        } catch (IOException absent) {
            return Stream.empty();
        }
    }

    /// An address and port in the kernel's format: each 32-bit word in native byte order, in hex.
    private static String row(byte[] address) {
        StringBuilder text = new StringBuilder();
        ByteBuffer words = ByteBuffer.wrap(address).order(ByteOrder.nativeOrder());
        while (words.hasRemaining()) {
            text.append("%08X".formatted(words.getInt()));
        }
        return text.append(":%04X".formatted(Wires.PORT)).toString();
    }
}
