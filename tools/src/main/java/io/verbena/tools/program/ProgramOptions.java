package io.verbena.tools.program;

import io.verbena.tools.device.DeviceChoice;
import io.verbena.tools.device.DeviceOptions;
import io.verbena.tools.device.SoftPath;
import io.verbena.tools.trace.TraceOptions;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// HOST and the options that all programs have. A program without HOST is the server, one with it the client.
public final class ProgramOptions {
    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "HOST",
            description = "Connect to the server on HOST. Without HOST: be the server.")
    private String host;

    @Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            description = "The server's port. Default: the port named above.")
    private Integer port;

    @Mixin
    private DeviceOptions device;

    @Mixin
    private TraceOptions trace;

    @Option(names = "--once", description = "Server: serve one client and end with its result.")
    private boolean once;

    @Mixin
    private PeerTimeout timeout;

    @Option(names = "--verify", description = "Check every byte that arrives.")
    private boolean verify;

    @Option(names = "--stats", description = "Show completions, rates, times and CPU time.")
    private boolean statistics;

    @Mixin
    private ResultOption result;

    @Mixin
    private Usage usage;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    private DeviceChoice chosen;
    private Output output;

    /// Runs a program's body and returns its exit code. Ctrl-C interrupts the program's waits, so that it can
    /// disconnect and print its results; that is no failure.
    public int run(Runnable body) {
        check();
        Usage.runUntilStopped(body);
        return 0;
    }

    private void check() {
        timeout.check(usage);
        if (port != null) {
            usage.requirePort(port, isServer());
        }
        require(isServer() || !once, "--once is for servers, and a program with HOST is a client");
    }

    public boolean isServer() {
        return host == null;
    }

    /// Server: serve one client and end.
    public boolean once() {
        return once;
    }

    public boolean verify() {
        return verify;
    }

    public boolean statistics() {
        return statistics;
    }

    /// How long the peer may keep silent; zero: for ever.
    public Duration timeout() {
        return timeout.duration();
    }

    /// As [#timeout()], for calls that cannot wait for ever.
    public Duration step() {
        return timeout.step();
    }

    public Output output() {
        if (output == null) {
            output = result.output(command.name(), usage);
        }
        return output;
    }

    /// The named device, or the one that reaches HOST.
    public DeviceChoice device() {
        if (chosen == null) {
            chosen = traced(device.choose(isServer() ? null : DeviceOptions.sourceTowards(peer())));
        }
        return chosen;
    }

    /// The server's device: the named one, or that of the address that a client connected to.
    public DeviceChoice deviceAt(InetAddress local) {
        return traced(device.choose(local));
    }

    private DeviceChoice traced(DeviceChoice choice) {
        return trace.apply(choice, isServer() ? "server" : "client", usage.err());
    }

    /// For programs that have a second option for the device.
    public void nameDevice(String nameOrAddress) {
        device.name(nameOrAddress);
    }

    /// The value of `--path`, or null.
    public SoftPath path() {
        return device.path();
    }

    public ConnectionManager connectionManager() {
        return device().provider().connectionManager();
    }

    /// The address and port that the server listens on, for both sides.
    public InetSocketAddress serverAddress(int usualPort) {
        int number = port == null ? usualPort : port;
        return new InetSocketAddress(isServer() ? localAddress() : peer(), number);
    }

    /// The address to connect from, or null where none was named.
    public InetSocketAddress source() {
        return device().address() == null ? null : new InetSocketAddress(device().address(), 0);
    }

    private InetAddress localAddress() {
        return device().address() != null ? device().address() : InetAddress.ofLiteral("0.0.0.0");
    }

    private InetAddress peer() {
        return usage.resolve("", host);
    }

    /// A synchronous id whose steps take no longer than `--timeout`.
    public ConnectionId newId() {
        ConnectionId id = connectionManager().createSynchronousId(PortSpace.TCP);
        id.timeout(step());
        return id;
    }

    /// A synchronous id whose address and route to the server are resolved. Next come its queue pair and `connect`.
    public ConnectionId resolve(int usualPort) {
        InetSocketAddress server = serverAddress(usualPort);
        try (var _ = notice(server)) {
            ConnectionId id = connectionManager().createEndpoint(PortSpace.TCP, source(), server, step());
            id.timeout(step());
            return id;
        }
    }

    /// Connects. When no server answers or the server refuses, the error says what to do. A server gives its reason in
    /// the private data of its `reject`, see [Refusal].
    public void connect(ConnectionId id, ConnectionParameters parameters) {
        try (var _ = notice(id.peerAddress())) {
            id.connect(parameters);
        } catch (RdmaException e) {
            throw ConnectFailure.of(startServer(), id.peerAddress(), id.event(), e);
        }
    }

    private ConnectNotice notice(InetSocketAddress server) {
        return ConnectNotice.start(output(), server, step(), startServer());
    }

    private String startServer() {
        return command.qualifiedName() + (port == null ? "" : " -p " + port);
    }

    /// Prints the result of a connection, and its statistics if they are wanted.
    public void print(Result result, Statistics counted) {
        if (statistics) {
            counted.print(output());
            result.put("statistics", counted.json());
        }
        output().result(result.json());
    }

    public boolean isGiven(String option) {
        return usage.isGiven(option);
    }

    /// Throws a usage error (exit code 2) unless `good`.
    public void require(boolean good, String otherwise) {
        usage.require(good, otherwise);
    }
}
