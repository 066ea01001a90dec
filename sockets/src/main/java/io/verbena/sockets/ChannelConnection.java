package io.verbena.sockets;

import io.verbena.verbs.cm.ConnectionId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.List;

/// What is behind an [RdmaSocketChannel]: nothing yet, a connection over RDMA, or a channel of the JDK.
final class ChannelConnection extends SelectableSource<SocketChannel> {
    enum Phase {
        UNCONNECTED,
        PENDING,
        CONNECTED
    }

    private final RdmaSocketChannel channel;
    private final TransportRules rules;
    private final ProtocolFamily family;
    private final SocketSettings settings;

    private volatile Phase phase = Phase.UNCONNECTED;
    private volatile ConnectAttempt attempt;
    private volatile RdmaStream stream;
    private volatile InetSocketAddress bound;
    private volatile InetSocketAddress peer;
    private volatile SocketChannel boundTcp;
    private volatile ConnectionId boundId;
    private Hub boundHub;

    ChannelConnection(RdmaSocketChannel channel, TransportRules rules, ProtocolFamily family, SocketSettings settings) {
        this.channel = channel;
        this.rules = rules;
        this.family = family;
        this.settings = settings;
    }

    void accepted(RdmaStream accepted) {
        bound = accepted.localAddress();
        peer = accepted.peerAddress();
        stream = accepted;
        phase = Phase.CONNECTED;
        accepted.addListener(keys());
    }

    void accepted(SocketChannel accepted) throws IOException {
        bound = (InetSocketAddress) accepted.getLocalAddress();
        peer = (InetSocketAddress) accepted.getRemoteAddress();
        tcp(accepted);
        phase = Phase.CONNECTED;
        SocketCounters.TCP_CONNECTIONS.increment();
    }

    // ---- what it is ----

    Phase phase() {
        return phase;
    }

    ProtocolFamily family() {
        return family;
    }

    SocketSettings settings() {
        return settings;
    }

    RdmaStream stream() {
        return stream;
    }

    InetSocketAddress peer() {
        return peer;
    }

    /// Null before it is bound or connected.
    InetSocketAddress bound() {
        return bound;
    }

    /// The channel of the JDK that takes options; null when there is none.
    SocketChannel optionTarget() {
        SocketChannel over = tcp();
        return over != null ? over : boundTcp;
    }

    boolean isOpen() {
        return channel.isOpen();
    }

    // ---- binding ----

    void bind(InetSocketAddress address) throws IOException {
        if (rules.ofBind(address) == Transport.RDMA && !address.getAddress().isAnyLocalAddress()) {
            bindRdma(address);
        } else {
            SocketChannel opened = openTcp();
            try {
                opened.bind(address);
            } catch (IOException e) {
                opened.close();
                throw e;
            }
            boundTcp = opened;
            bound = (InetSocketAddress) opened.getLocalAddress();
        }
        requireOpen();
    }

    /// After something was opened for the channel. Whoever closed the channel meanwhile may not have seen it.
    private void requireOpen() throws IOException {
        if (!channel.isOpen()) {
            close();
            throw new AsynchronousCloseException();
        }
    }

    private void bindRdma(InetSocketAddress address) throws IOException {
        boundHub = ChannelAddresses.hub(address);
        boundId = boundHub.createId();
        try {
            ChannelAddresses.bind(boundId, address, settings);
            bound = boundId.localAddress();
        } catch (IOException e) {
            boundId.close();
            boundId = null;
            throw e;
        }
    }

    // ---- connecting ----

    /// For [ConnectAttempt].
    RdmaStream openStream(InetAddress local) {
        if (boundId != null) {
            ConnectionId id = boundId;
            boundId = null;
            return new RdmaStream(boundHub, settings, id);
        }
        Hub hub = Hubs.at(local);
        return new RdmaStream(hub, settings, hub.createId());
    }

    /// A channel of the JDK with the options of this one.
    SocketChannel openTcp() throws IOException {
        if (boundTcp != null) {
            return boundTcp;
        }
        SocketChannel opened = family == null
                ? JdkProvider.get().openSocketChannel()
                : JdkProvider.get().openSocketChannel(family);
        settings.applyTo(opened);
        return opened;
    }

    void useStream(RdmaStream used) throws IOException {
        stream = used;
        requireOpen();
        used.addListener(this::onStreamReady);
        keys().onTransportChanged();
    }

    private void onStreamReady() {
        ConnectAttempt now = attempt;
        if (now != null && phase == Phase.PENDING) {
            now.onStreamReady();
        }
        keys().onReady();
    }

    void useTcp(SocketChannel used) throws IOException {
        tcp(used);
        requireOpen();
        keys().onTransportChanged();
    }

    /// The attempt will not succeed; `finishConnect` says why.
    void onAttemptFailed() {
        keys().onTransportChanged();
        keys().onReady();
    }

    /// Begins to connect.
    ConnectAttempt connect(InetSocketAddress to) throws IOException {
        phase = Phase.PENDING;
        peer = to;
        ConnectAttempt begun = new ConnectAttempt(this, boundId != null ? null : bound, to, rules.of(to));
        attempt = begun;
        begun.begin();
        return begun;
    }

    ConnectAttempt attempt() {
        return attempt;
    }

    void onConnected() throws IOException {
        SocketChannel over = tcp();
        if (over == null) {
            bound = stream.localAddress();
            SocketChannel unused = boundTcp;
            if (unused != null) {
                unused.close();
                boundTcp = null;
            }
        } else {
            bound = (InetSocketAddress) over.getLocalAddress();
            SocketCounters.TCP_CONNECTIONS.increment();
            if (channel.isBlocking()) {
                over.configureBlocking(true);
            }
        }
        phase = Phase.CONNECTED;
        keys().onReady();
    }

    /// Closes whatever is there.
    void close() throws IOException {
        RdmaStream now = stream;
        if (now != null) {
            now.ending().close(settings.get(StandardSocketOptions.SO_LINGER) == 0);
        }
        ConnectionId unused = boundId;
        if (unused != null) {
            unused.close();
        }
        SocketChannel over = tcp();
        if (over != null) {
            over.close();
        }
        SocketChannel early = boundTcp;
        if (early != null) {
            early.close();
        }
        ConnectAttempt begun = attempt;
        if (begun != null) {
            begun.onClosed();
        }
    }

    // ---- for selectors ----

    @Override
    int rdmaReadyOps() {
        RdmaStream now = stream;
        if (phase == Phase.PENDING) {
            ConnectAttempt trying = attempt;
            boolean isKnown =
                    trying != null && (trying.isRdmaOutcomeKnown() && tcp() == null || trying.problem() != null);
            return isKnown ? SelectionKey.OP_CONNECT : 0;
        }
        return phase == Phase.CONNECTED && tcp() == null && now != null
                ? now.readyOps() & (SelectionKey.OP_READ | SelectionKey.OP_WRITE)
                : 0;
    }

    @Override
    List<Hub> hubs() {
        RdmaStream now = stream;
        return now == null || tcp() != null ? List.of() : List.of(now.hub());
    }
}
