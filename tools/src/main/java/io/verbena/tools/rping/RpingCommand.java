package io.verbena.tools.rping;

import io.verbena.tools.device.DeviceChoice;
import io.verbena.tools.device.DeviceOptions;
import io.verbena.tools.program.PeerTimeout;
import io.verbena.tools.program.ProgramServer;
import io.verbena.tools.program.Usage;
import io.verbena.tools.trace.TraceOptions;
import io.verbena.verbs.cm.ConnectionId;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `rping` of librdmacm: the same flags, the same messages on the wire, the same lines. Either side may be the C
/// program.
///
/// Differences: a server takes pings of every size whatever its own `-S`; a wait for a silent peer ends after a
/// timeout; a server with `-V` also verifies what it READs.
@Command(
        name = "rping",
        sortOptions = false,
        description = {
            "RDMA ping: the client advertises a buffer, the server READs it and WRITEs it back.",
            "Works with the rping of rdma-core, as client and as server."
        },
        footer = {
            "",
            "Examples:",
            "  verbena rping -s -v                             serve one client, show what it sends",
            "  verbena rping -c -a 127.0.0.1 -v -V -C 10       ten pings to it, each compared byte by byte",
            "  verbena rping -s -P                             serve every client, until stopped",
            "  verbena rping -c -a 10.0.0.2 -S 65535 -C 1000 -V --device 10.0.0.1",
            "",
            "Exit code 0 only when every ping was answered (and, with -V, right)."
        })
public final class RpingCommand implements Callable<Integer> {
    static final String START_SERVER = "verbena rping -s";

    static final int USUAL_PORT = 7174;

    @Option(names = "-s", description = "Be the server.")
    private boolean server;

    @Option(names = "-c", description = "Be the client.")
    private boolean client;

    @Option(
            names = "-a",
            paramLabel = "ADDRESS",
            description = "Server: the address to listen on, else all. Client: the server's address or name.")
    private String address;

    @Option(names = "-p", paramLabel = "PORT", description = "The server's port. Default: " + USUAL_PORT + ".")
    private int port = USUAL_PORT;

    @Option(names = "-I", paramLabel = "ADDRESS", description = "Client: the address to connect from.")
    private String source;

    @Option(
            names = "-S",
            paramLabel = "SIZE",
            description = "Bytes of a ping, " + PingText.SHORTEST + " to " + PingText.LONGEST
                    + " (the client's value applies to both sides). Default: " + PingText.USUAL + ".")
    private int size = PingText.USUAL;

    @Option(names = "-C", paramLabel = "COUNT", description = "Client: number of pings. Default: until stopped.")
    private Integer count;

    @Option(names = "-v", description = "Show the text of each ping.")
    private boolean verbose;

    @Option(names = "-V", description = "Compare each ping byte by byte.")
    private boolean validate;

    @Option(names = "-P", description = "Server: serve every client, also several at once, until stopped.")
    private boolean persistent;

    @Option(
            names = "-q",
            description = "Make the queue pair and change its states by hand, not through the connection manager.")
    private boolean ownQueuePair;

    @Option(names = "-t", paramLabel = "TOS", description = "Type of service of the packets, 0 to 255.")
    private int typeOfService = -1;

    @Option(names = "-d", description = "Show each step.")
    private boolean debug;

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
    private boolean json;

    @Mixin
    private Usage usage;

    @Override
    public Integer call() {
        check();
        DeviceChoice chosen = trace.apply(device.choose(local()), server ? "server" : "client", usage.err());
        var settings = new RpingSettings(
                chosen,
                new InetSocketAddress(host(chosen), port),
                source(chosen),
                size,
                count == null ? 0 : count,
                validate,
                persistent,
                ownQueuePair,
                typeOfService,
                ackTimeout,
                timeout.duration());
        var output = new RpingOutput(usage.out(), usage.err(), verbose, debug, json);
        boolean ended = Usage.runUntilStopped(
                server ? () -> serve(settings, output) : () -> new RpingClient(settings, output).run());
        if (!ended) {
            output.debug("stopped"); // by Ctrl-C, the usual end of a server and of pings without a count
        }
        return 0;
    }

    private static void serve(RpingSettings settings, RpingOutput output) {
        try (ConnectionId listener = settings.newId()) {
            ProgramServer.listen(listener, settings.address());
            output.debug("rdma_bind_addr successful");
            ProgramServer.serve(
                    listener,
                    !settings.persistent(),
                    output,
                    () -> ProgramServer.nextClient(listener).event(),
                    client -> new RpingService(settings, output).serve(client.id()));
        }
    }

    private void check() {
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

    /// Where the server listens.
    private InetAddress host(DeviceChoice chosen) {
        if (address != null) {
            return usage.resolve("-a: ", address);
        }
        return chosen.address() != null ? chosen.address() : InetAddress.ofLiteral("0.0.0.0");
    }

    private InetAddress source(DeviceChoice chosen) {
        return source != null ? usage.resolve("-I: ", source) : chosen.address();
    }
}
