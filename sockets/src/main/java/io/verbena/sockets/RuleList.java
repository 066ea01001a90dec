package io.verbena.sockets;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Rules of the property `verbena.sockets.rules`: a list, separated by commas, or the name of a file with a rule in
/// each line. The first that fits decides; where none does, it is `auto`.
///
/// ```text
/// tcp *:22
/// rdma 10.0.0.0/8:9092-9099
/// auto
/// ```
final class RuleList implements TransportRules {
    static final String PROPERTY = "verbena.sockets.rules";

    private static final int MOST_PORT = 65_535;

    /// @param network the first bytes of the address; null for any
    private record Rule(Transport transport, byte[] network, int bits, int firstPort, int lastPort) {
        /// Its transport if it fits everything.
        Transport ofAll() {
            return network == null && firstPort == 0 && lastPort == MOST_PORT ? transport : Transport.AUTO;
        }

        boolean fits(InetSocketAddress address) {
            int port = address.getPort();
            return port >= firstPort
                    && port <= lastPort
                    && fits(address.getAddress().getAddress());
        }

        private boolean fits(byte[] address) {
            if (network == null) {
                return true;
            }
            if (address.length != network.length) {
                return false;
            }
            for (int i = 0; i < bits; i++) {
                int mask = 0x80 >> i % 8;
                if ((address[i / 8] & mask) != (network[i / 8] & mask)) {
                    return false;
                }
            }
            return true;
        }
    }

    private final List<Rule> rules;

    private RuleList(List<Rule> rules) {
        this.rules = rules;
    }

    static RuleList ofSystem() {
        String text = System.getProperty(PROPERTY);
        if (text == null || text.isBlank()) {
            return new RuleList(List.of());
        }
        return text.startsWith("/") || text.startsWith("file:") ? ofFile(text) : parse(List.of(text.split(",")));
    }

    private static RuleList ofFile(String name) {
        Path file = Path.of(name.startsWith("file:") ? name.substring(5) : name);
        try {
            return parse(Files.readAllLines(file));
        } catch (IOException e) {
            throw new UncheckedIOException("-D%s=%s: the file cannot be read".formatted(PROPERTY, name), e);
        }
    }

    static RuleList parse(List<String> lines) {
        List<Rule> rules = new ArrayList<>();
        for (String line : lines) {
            String text = line.replaceFirst("#.*", "").strip();
            if (!text.isEmpty()) {
                rules.add(rule(text));
            }
        }
        return new RuleList(rules);
    }

    private static Rule rule(String text) {
        String[] parts = text.split("\\s+");
        try {
            Transport transport = Transport.valueOf(parts[0].toUpperCase(Locale.ROOT));
            if (parts.length > 2) {
                throw new IllegalArgumentException("too many words");
            }
            return rule(transport, parts.length == 1 ? "*" : parts[1]);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "rule '%s' of -D%s: expected is rdma, tcp or auto, then ADDRESS[/BITS][:PORT[-PORT]], with * for any, [ADDRESS] for IPv6"
                            .formatted(text, PROPERTY),
                    e);
        }
    }

    private static Rule rule(Transport transport, String where) {
        String host = where;
        String ports = "";
        int colon = where.lastIndexOf(':');
        boolean hasPorts = where.startsWith("[") ? where.contains("]:") : colon >= 0 && where.indexOf(':') == colon;
        if (hasPorts) {
            host = where.substring(0, colon);
            ports = where.substring(colon + 1);
        }
        int first = 0;
        int last = MOST_PORT;
        if (!ports.isEmpty() && !"*".equals(ports)) {
            String[] range = ports.split("-", 2);
            first = port(range[0]);
            last = range.length == 1 ? first : port(range[1]);
        }
        host = host.replaceAll("[\\[\\]]", "");
        if (host.isEmpty() || "*".equals(host)) {
            return new Rule(transport, null, 0, first, last);
        }
        String[] network = host.split("/", 2);
        byte[] bytes = InetAddress.ofLiteral(network[0]).getAddress();
        int bits = network.length == 1 ? 8 * bytes.length : Integer.parseInt(network[1]);
        if (bits < 0 || bits > 8 * bytes.length) {
            throw new IllegalArgumentException("bits");
        }
        return new Rule(transport, bytes, bits, first, last);
    }

    private static int port(String text) {
        int port = Integer.parseInt(text);
        if (port < 0 || port > MOST_PORT) {
            throw new IllegalArgumentException("port");
        }
        return port;
    }

    @Override
    public Transport of(InetSocketAddress address) {
        for (Rule rule : rules) {
            if (rule.fits(address)) {
                return rule.transport;
            }
        }
        return Transport.AUTO;
    }

    @Override
    public Transport ofBind(InetSocketAddress address) {
        return rules.isEmpty() ? Transport.AUTO : rules.getFirst().ofAll();
    }
}
