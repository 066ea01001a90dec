package io.verbena.tools.rping;

import io.verbena.tools.device.DeviceChoice;
import io.verbena.tools.device.DeviceOptions;
import io.verbena.tools.program.PeerTimeout;
import io.verbena.tools.program.Usage;
import io.verbena.tools.trace.TraceOptions;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionOption;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The options, and what follows from them.
final class RpingOptions {
    /// The parameters of both sides: one READ at a time, seven retries, infinite RNR retry.
    static final ConnectionParameters PARAMETERS =
            ConnectionParameters.DEFAULT.withReads(1, 1).withRetries(7, 7);

    @Option(names = "-s", description = "Be the server.")
    boolean server;

    @Option(names = "-c", description = "Be the client.")
    private boolean client;

    @Option(
            names = "-a",
            paramLabel = "ADDRESS",
            description = "Server: the address to listen on, else all. Client: the server's address or name.")
    private String address;

    @Option(
            names = "-p",
            paramLabel = "PORT",
            description = "The server's port. Default: " + RpingCommand.USUAL_PORT + ".")
    private int port = RpingCommand.USUAL_PORT;

    @Option(names = "-I", paramLabel = "ADDRESS", description = "Client: the address to connect from.")
    private String source;

    @Option(
            names = "-S",
            paramLabel = "SIZE",
            description = "Bytes of a ping, " + PingText.SHORTEST + " to " + PingText.LONGEST
                    + " (the client's value applies to both sides). Default: " + PingText.USUAL + ".")
    int size = PingText.USUAL;

    @Option(names = "-C", paramLabel = "COUNT", description = "Client: number of pings. Default: until stopped.")
    private Integer count;

    @Option(names = "-v", description = "Show the text of each ping.")
    boolean verbose;

    @Option(names = "-V", description = "Compare each ping byte by byte.")
    boolean validate;

    @Option(names = "-P", description = "Server: serve every client, also several at once, until stopped.")
    boolean persistent;

    @Option(
            names = "-q",
            description = "Make the queue pair and change its states by hand, not through the connection manager.")
    boolean ownQueuePair;

    @Option(names = "-t", paramLabel = "TOS", description = "Type of service of the packets, 0 to 255.")
    private int typeOfService = -1;

    @Option(names = "-d", description = "Show each step.")
    boolean debug;

    @Mixin
    private DeviceOptions device;

    @Mixin
    private TraceOptions trace;

    @Mixin
    private PeerTimeout timeout;

    @Option(
            names = "--ack-timeout",
            paramLabel = "CODE",
            description =
                    "Send again after 4.096 us * 2^CODE without an answer, 0 to 31 (0: never); a client's is for the"
                            + " server, too. Lower it for links that lose packets. Default: as the path needs.")
    private int ackTimeout = -1;

    @Option(names = "--json", description = "Print the result as JSON, one object per connection, and nothing else.")
    boolean json;

    @Mixin
    Usage usage;

    private DeviceChoice chosen;
    private InetSocketAddress serverAddress;

    /// Throws unless the options go together; finds the device and the server's address.
    void check() {
        usage.require(server != client, server ? "-s or -c, not both" : "say -s (server) or -c (client)");
        usage.require(server || address != null, "-c needs the server's address: -a ADDRESS");
        usage.require(
                size >= PingText.SHORTEST && size <= PingText.LONGEST,
                "Invalid size " + size + " (valid range is " + PingText.SHORTEST + " to " + PingText.LONGEST + ")");
        usage.require(count == null || count >= 0, "Invalid count " + count + "; 0 means until stopped");
        usage.requirePort(port, server);
        usage.require(typeOfService >= -1 && typeOfService <= 255, "Invalid type of service " + typeOfService);
        usage.require(ackTimeout >= -1 && ackTimeout <= 31, "--ack-timeout must be 0 to 31");
        timeout.check(usage);
        usage.require(server || !persistent, "-P is for servers (-s)");
        usage.require(client || source == null, "-I is for clients (-c); a server names its address with -a");
        chosen = trace.apply(device.choose(local()), server ? "server" : "client", usage.err());
        InetAddress host = address != null ? usage.resolve("-a: ", address) : chosen.address();
        serverAddress = new InetSocketAddress(host != null ? host : InetAddress.ofLiteral("0.0.0.0"), port);
    }

    /// The local address that the options name, or null.
    private InetAddress local() {
        if (server) {
            return address == null ? null : usage.resolve("-a: ", address);
        }
        return source != null
                ? usage.resolve("-I: ", source)
                : DeviceOptions.sourceTowards(usage.resolve("-a: ", address));
    }

    /// Where the server listens, for both sides.
    InetSocketAddress address() {
        return serverAddress;
    }

    /// Where the client connects from, or null.
    InetSocketAddress source() {
        InetAddress host = source != null ? usage.resolve("-I: ", source) : chosen.address();
        return host == null ? null : new InetSocketAddress(host, 0);
    }

    /// Pings to do; 0: without end.
    long count() {
        return count == null ? 0 : count;
    }

    /// How long the peer may keep silent; zero: for ever.
    Duration timeout() {
        return timeout.duration();
    }

    /// As [#timeout()], for calls that cannot wait for ever.
    Duration step() {
        return timeout.step();
    }

    ConnectionId newId() {
        ConnectionId id = chosen.provider().connectionManager().createSynchronousId(PortSpace.TCP);
        id.timeout(step());
        if (typeOfService >= 0) {
            id.option(ConnectionOption.TYPE_OF_SERVICE, typeOfService);
        }
        if (ackTimeout >= 0) {
            id.option(ConnectionOption.ACK_TIMEOUT, ackTimeout);
        }
        return id;
    }
}
