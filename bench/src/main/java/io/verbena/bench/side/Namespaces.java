package io.verbena.bench.side;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Two network namespaces of Linux, connected by a pair of virtual Ethernet devices (veth): the nearest to two hosts
/// that one machine offers. Packets take the whole way down to a device and up again, without the short cuts of the
/// loopback interface. Making them needs root.
///
/// They are removed when this is closed and when the JVM ends. Those that a killed process left are removed by the next
/// one.
public final class Namespaces implements AutoCloseable {
    private static final String PREFIX = "verbena-bench-";
    private static final String SERVER = name(ProcessHandle.current().pid(), "server");
    private static final String CLIENT = name(ProcessHandle.current().pid(), "client");
    /// Of the addresses that are reserved for benchmarks (RFC 2544).
    private static final String SERVER_ADDRESS = "198.18.0.1";

    private static final String CLIENT_ADDRESS = "198.18.0.2";
    private static final String DEVICE = "bench0";
    /// Jumbo frames, as usual in networks for RDMA: a RoCEv2 packet with 4096 bytes of data fits.
    private static final int MTU = 9000;

    private static final Duration LIMIT = Duration.ofSeconds(10);

    /// The network of [#open].
    public static final Network NETWORK =
            new Network(inside(SERVER), inside(CLIENT), SERVER_ADDRESS, CLIENT_ADDRESS, DEVICE);

    public static final String REMARK =
            "two network namespaces, connected by a pair of veth devices with an MTU of " + MTU;

    private final Thread atEnd = new Thread(Namespaces::removeQuietly, "bench-namespaces");

    private Namespaces() {}

    private static String name(long pid, String side) {
        return PREFIX + pid + "-" + side;
    }

    private static List<String> inside(String namespace) {
        return List.of("ip", "netns", "exec", namespace);
    }

    /// Makes the namespaces, or says what they need.
    public static Namespaces open() throws IOException {
        requireRoot();
        removeLeftovers();
        Namespaces namespaces = new Namespaces();
        Runtime.getRuntime().addShutdownHook(namespaces.atEnd);
        try {
            for (List<String> words : commands()) {
                ip(words);
            }
        } catch (IOException e) {
            namespaces.close();
            throw e;
        }
        return namespaces;
    }

    private static void requireRoot() throws IOException {
        Object user;
        try {
            user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (IOException | UnsupportedOperationException notLinux) {
            throw new IOException("network namespaces: this system has none; use Linux", notLinux);
        }
        if (!Integer.valueOf(0).equals(user)) {
            throw new IOException("network namespaces: only root can make them, and this is user " + user
                    + "; run it with sudo, or without --namespaces");
        }
    }

    /// The arguments of `ip`, one call each.
    static List<List<String>> commands() {
        String mtu = Integer.toString(MTU);
        return List.of(
                List.of("netns", "add", SERVER),
                List.of("netns", "add", CLIENT),
                List.of(
                        "link", "add", DEVICE, "mtu", mtu, "netns", SERVER, "type", "veth", "peer", "name", DEVICE,
                        "mtu", mtu, "netns", CLIENT),
                List.of("-n", SERVER, "address", "add", SERVER_ADDRESS + "/30", "dev", DEVICE),
                List.of("-n", CLIENT, "address", "add", CLIENT_ADDRESS + "/30", "dev", DEVICE),
                List.of("-n", SERVER, "link", "set", "lo", "up"),
                List.of("-n", CLIENT, "link", "set", "lo", "up"),
                List.of("-n", SERVER, "link", "set", DEVICE, "up"),
                List.of("-n", CLIENT, "link", "set", DEVICE, "up"));
    }

    private static List<String> ip(List<String> words) throws IOException {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(words);
        try (Child child = Child.command("ip", Map.of(), command)) {
            if (child.awaitEnd(LIMIT) != 0) {
                throw new IOException("network namespaces: " + String.join(" ", command) + " failed" + child.lastWords()
                        + "; a container may lack the right to make them");
            }
            return child.rest();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /// The namespaces of this benchmark that are there.
    static List<String> present() throws IOException {
        return ip(List.of("netns", "list")).stream()
                .map(line -> line.split(" ")[0])
                .filter(name -> name.startsWith(PREFIX))
                .toList();
    }

    private static void removeLeftovers() throws IOException {
        for (String name : present()) {
            if (isLeftover(name)) {
                ip(List.of("netns", "delete", name));
            }
        }
    }

    /// Whether a namespace is one of a process that has ended.
    static boolean isLeftover(String name) {
        String pid = name.substring(PREFIX.length()).split("-")[0];
        return pid.matches("[0-9]{1,10}")
                && Optional.of(Long.parseLong(pid)).flatMap(ProcessHandle::of).isEmpty();
    }

    private static void removeQuietly() {
        for (String name : List.of(SERVER, CLIENT)) {
            try {
                if (Files.exists(Path.of("/var/run/netns", name))) {
                    ip(List.of("netns", "delete", name));
                }
            } catch (IOException leftToTheNextRun) {
                // the next run removes it
            }
        }
    }

    @Override
    public void close() {
        removeQuietly();
        try {
            Runtime.getRuntime().removeShutdownHook(atEnd);
        } catch (IllegalStateException endsAlready) {
            // the hook finds nothing
        }
    }
}
