package io.verbena.applications;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// What carries the bytes of a program: a name for tables, and the options of `java` that choose it.
///
/// @param name the name in tables
/// @param counted whether Verbena's provider is used, so that bytes must be counted
/// @param options the options of `java`
/// @param classPath what the class path needs; empty for nothing
public record Transport(String name, boolean counted, List<String> options, String classPath) {
    /// Names a provider of selectors, instead of Verbena's agent; empty: the JDK's.
    private static final String PROVIDER = "applications.provider";

    /// More options of `java` for programs over Verbena's sockets, separated by spaces.
    private static final String OPTIONS = "applications.options";

    /// The JDK's own provider.
    public static Transport tcp() {
        return new Transport("tcp", false, List.of(), "");
    }

    /// Verbena's provider, as a user switches it on: shared memory between processes of a host.
    public static Transport rdma() {
        String provider = System.getProperty(PROVIDER);
        if (provider == null) {
            return new Transport("rdma", true, Sockets.agentOptions(), "").with("", more());
        }
        if (provider.isEmpty()) {
            return new Transport("jdk", false, List.of(), "");
        }
        return new Transport("rdma", true, Sockets.propertyOptions(provider), Sockets.jars()).with("", more());
    }

    private static String[] more() {
        String text = System.getProperty(OPTIONS, "").strip();
        return text.isEmpty() ? new String[0] : text.split(" +");
    }

    /// The same over UDP.
    public Transport overUdp() {
        return with("-udp", "-Dverbena.soft.path=udp");
    }

    /// The same over UDP where packets get lost.
    public Transport overLossyUdp(double loss, long seed) {
        return with("-loss", "-Dverbena.soft.path=udp", "-Dverbena.soft.faults=loss=" + loss + ",seed=" + seed);
    }

    private Transport with(String suffix, String... more) {
        return new Transport(
                name + suffix,
                counted,
                Stream.concat(options.stream(), Stream.of(more)).toList(),
                classPath);
    }

    /// The transport of this name: `tcp`, `rdma`, `udp` or `loss`.
    public static Transport named(String name) {
        return switch (name) {
            case "tcp" -> tcp();
            case "rdma" -> rdma();
            case "udp" -> rdma().overUdp();
            case "loss" -> rdma().overLossyUdp(0.01, Long.getLong("verbena.test.seed", 1));
            default ->
                throw new IllegalArgumentException("no transport " + name + "; there are tcp, rdma, udp and loss");
        };
    }

    /// The transports of these names, separated by commas.
    public static List<Transport> list(String names) {
        List<Transport> all = new ArrayList<>();
        for (String name : names.split(",")) {
            all.add(named(name));
        }
        return all;
    }

    @Override
    public String toString() {
        return name;
    }
}
