package io.verbena.tools.program;

import io.verbena.tools.device.DeviceChoice;
import io.verbena.tools.device.DeviceOptions;
import io.verbena.tools.device.SoftPath;
import io.verbena.tools.text.StopSignal;
import io.verbena.tools.trace.TraceOptions;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// HOST and the options that all programs have. A program without HOST is the server, one with it the client.
public final class ProgramOptions {
    /// Limit for the steps of the connection manager, which cannot wait for ever.
    private static final Duration LONGEST_STEP = Duration.ofMinutes(2);

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

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "Give up after this many seconds of silence; 0 waits forever. Default: ${DEFAULT-VALUE}.")
    private int timeoutSeconds = 30;

    @Option(names = "--verify", description = "Check every byte that arrives.")
    private boolean verify;

    @Option(names = "--stats", description = "Show completions, rates, times and CPU time.")
    private boolean statistics;

    @Option(names = "--json", description = "Print the result as JSON and nothing else.")
    private boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean help;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    private DeviceChoice chosen;
    private Output output;

    /// Runs a program's body and returns its exit code. Ctrl-C interrupts the program's waits, so that it can
    /// disconnect and print its results; that is no failure.
    public int run(Runnable body) {
        check();
        try (var _ = new StopSignal()) {
            body.run();
        } catch (RdmaException e) {
            if (e.errno() != Errno.EINTR) {
                throw e;
            }
        }
        return 0;
    }

    private void check() {
        require(timeoutSeconds >= 0, "--timeout must be 0 or more seconds");
        require(
                port == null || port >= (isServer() ? 0 : 1) && port <= 65535,
                "Invalid port " + port + " (valid range is 1 to 65535)");
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
        return Duration.ofSeconds(timeoutSeconds);
    }

    /// As [#timeout()], for calls that cannot wait for ever.
    public Duration step() {
        Duration timeout = timeout();
        return timeout.isZero() || timeout.compareTo(LONGEST_STEP) > 0 ? LONGEST_STEP : timeout;
    }

    public Output output() {
        if (output == null) {
            var line = command.commandLine();
            output = new Output(command.name(), line.getOut(), line.getErr(), json);
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
        return trace.apply(
                choice, isServer() ? "server" : "client", command.commandLine().getErr());
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
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new ParameterException(command.commandLine(), "unknown host '" + host + "'", e);
        }
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
            throw ConnectFailure.of(command.qualifiedName(), id.peerAddress(), id.event(), e);
        }
    }

    private ConnectNotice notice(InetSocketAddress server) {
        return ConnectNotice.start(output(), server, step(), command.qualifiedName());
    }

    /// Throws a usage error (exit code 2) unless `good`.
    public void require(boolean good, String otherwise) {
        if (!good) {
            throw new ParameterException(command.commandLine(), otherwise);
        }
    }
}
