package io.verbena.sockets;

import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.nio.channels.Channel;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;

/// A provider for a whole JVM, so that existing programs use RDMA:
///
/// ```sh
/// java -javaagent:verbena-sockets.jar -jar program.jar
/// ```
///
/// Socket channels use RDMA or TCP, as the rules of `verbena.sockets.rules` say. Datagram channels, pipes and Unix
/// domain sockets are those of the JDK. One selector takes them all.
public final class RdmaSelectorProvider extends SelectorProvider {
    private final TransportRules rules;

    /// The provider for a whole JVM: named by `-Djava.nio.channels.spi.SelectorProvider`, or installed by the agent.
    public RdmaSelectorProvider() {
        this(RuleList.ofSystem());
        ExitReport.install();
    }

    /// Fails if a property of the sockets has a value that is not understood, which says which. For the agent: the JDK
    /// would say it late, and as the cause of another error.
    public static void requireValidProperties() {
        RuleList.ofSystem();
        SocketProperties.spinNs();
    }

    /// Prints the counters when the JVM ends, if the properties ask for it, also for a program that opens no channel.
    /// For
    /// the agent.
    public static void installReport() {
        ExitReport.install();
    }

    RdmaSelectorProvider(TransportRules rules) {
        this.rules = rules;
    }

    @Override
    public DatagramChannel openDatagramChannel() throws IOException {
        return JdkProvider.get().openDatagramChannel();
    }

    @Override
    public DatagramChannel openDatagramChannel(ProtocolFamily family) throws IOException {
        return JdkProvider.get().openDatagramChannel(family);
    }

    @Override
    public Pipe openPipe() throws IOException {
        return JdkProvider.get().openPipe();
    }

    @Override
    public AbstractSelector openSelector() {
        return new RdmaSelector(this);
    }

    @Override
    public ServerSocketChannel openServerSocketChannel() {
        return new RdmaServerSocketChannel(this, rules, null);
    }

    @Override
    public SocketChannel openSocketChannel() {
        return new RdmaSocketChannel(this, rules, null);
    }

    @Override
    public SocketChannel openSocketChannel(ProtocolFamily family) throws IOException {
        return isInternet(family)
                ? new RdmaSocketChannel(this, rules, family)
                : JdkProvider.get().openSocketChannel(family);
    }

    @Override
    public ServerSocketChannel openServerSocketChannel(ProtocolFamily family) throws IOException {
        return isInternet(family)
                ? new RdmaServerSocketChannel(this, rules, family)
                : JdkProvider.get().openServerSocketChannel(family);
    }

    private static boolean isInternet(ProtocolFamily family) {
        Objects.requireNonNull(family, "the protocol family is null");
        return family == StandardProtocolFamily.INET || family == StandardProtocolFamily.INET6;
    }

    @Override
    public Channel inheritedChannel() throws IOException {
        return JdkProvider.get().inheritedChannel();
    }
}
