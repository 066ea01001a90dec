package io.verbena.verbs;

import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionOption;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import io.verbena.verbs.spi.ConnectionOptions;
import io.verbena.verbs.spi.RdmaProvider;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/// An id that becomes one of a provider when its local address is known: at bind, at resolve, or at the first call that
/// needs the address. From then on it only delegates to the provider's id. Without an address the preferred provider is
/// chosen.
final class AddressedId implements ConnectionId {
    private final AddressedConnectionManager manager;
    private final PortSpace space;
    /// Options that the program set before there was a provider's id.
    private final Map<ConnectionOption, Integer> options = new EnumMap<>(ConnectionOption.class);

    private final ConnectionOptions defaults;
    private volatile AddressedEventChannel channel;
    private volatile Object attachment;
    private volatile ConnectionId provided;
    private RdmaProvider provider;
    private boolean closed;

    /// @param channel null for a synchronous id
    AddressedId(AddressedConnectionManager manager, AddressedEventChannel channel, PortSpace space) {
        this.manager = manager;
        this.space = space;
        this.defaults = new ConnectionOptions();
        this.channel = channel;
        if (channel != null) {
            channel.add(this);
        }
    }

    /// The id of a connection request.
    AddressedId(
            AddressedConnectionManager manager,
            AddressedEventChannel channel,
            ConnectionId provided,
            RdmaProvider provider) {
        this.manager = manager;
        this.space = provided.portSpace();
        this.defaults = null;
        this.channel = channel;
        this.provided = provided;
        this.provider = provider;
    }

    /// @param local null when the peer's address decides
    private synchronized ConnectionId decide(InetSocketAddress local, InetSocketAddress peer) {
        if (provided != null) {
            return provided;
        }
        if (closed) {
            throw new RdmaException("use a connection id", Errno.EBADF, "the id is closed");
        }
        RdmaProvider chosen = manager.providers().serving(space, addressOf(local), addressOf(peer));
        ConnectionId made = channel == null
                ? chosen.connectionManager().createSynchronousId(space)
                : chosen.connectionManager().createId(channel.of(chosen), space);
        try {
            made.timeout(defaults.timeout());
            options.forEach(made::option);
            made.attachment(attachment);
        } catch (RuntimeException e) {
            made.close();
            throw e;
        }
        manager.add(made, this);
        provider = chosen;
        provided = made;
        if (channel != null) {
            channel.remove(this);
        }
        return made;
    }

    private static InetAddress addressOf(InetSocketAddress address) {
        return address == null ? null : address.getAddress();
    }

    private ConnectionId decided() {
        ConnectionId now = provided;
        return now != null ? now : decide(null, null);
    }

    @Override
    public PortSpace portSpace() {
        return space;
    }

    @Override
    public EventChannel channel() {
        return channel;
    }

    @Override
    public Object attachment() {
        ConnectionId now = provided;
        return now == null ? attachment : now.attachment();
    }

    @Override
    public synchronized void attachment(Object attachment) {
        if (provided == null) {
            this.attachment = attachment;
        } else {
            provided.attachment(attachment);
        }
    }

    @Override
    public Context context() {
        ConnectionId now = provided;
        return now == null ? null : now.context();
    }

    @Override
    public int port() {
        ConnectionId now = provided;
        return now == null ? 0 : now.port();
    }

    @Override
    public ProtectionDomain protectionDomain() {
        ConnectionId now = provided;
        return now == null ? null : now.protectionDomain();
    }

    @Override
    public QueuePair queuePair() {
        ConnectionId now = provided;
        return now == null ? null : now.queuePair();
    }

    @Override
    public InetSocketAddress localAddress() {
        ConnectionId now = provided;
        return now == null ? null : now.localAddress();
    }

    @Override
    public InetSocketAddress peerAddress() {
        ConnectionId now = provided;
        return now == null ? null : now.peerAddress();
    }

    @Override
    public Duration timeout() {
        ConnectionId now = provided;
        return now == null ? defaults.timeout() : now.timeout();
    }

    @Override
    public synchronized void timeout(Duration timeout) {
        if (provided == null) {
            defaults.timeout(timeout);
        } else {
            provided.timeout(timeout);
        }
    }

    @Override
    public synchronized void option(ConnectionOption option, int value) {
        if (provided == null) {
            ConnectionOptions.check(option, value);
            options.put(option, value);
        } else {
            provided.option(option, value);
        }
    }

    @Override
    public void bind(InetSocketAddress local) {
        decide(local, null).bind(local);
    }

    @Override
    public void resolveAddress(InetSocketAddress local, InetSocketAddress peer, Duration timeout) {
        decide(local, peer).resolveAddress(local, peer, timeout);
    }

    @Override
    public void resolveRoute(Duration timeout) {
        decided().resolveRoute(timeout);
    }

    @Override
    public QueuePair createQueuePair(ProtectionDomain pd, QueuePairOptions options) {
        return decided().createQueuePair(pd, options);
    }

    @Override
    public void connect(ConnectionParameters parameters) {
        decided().connect(parameters);
    }

    @Override
    public void listen(int backlog) {
        decided().listen(backlog);
    }

    @Override
    public ConnectionId awaitRequest(Duration timeout) {
        ConnectionId request = decided().awaitRequest(timeout);
        return request == null ? null : manager.requested(request, provider, null);
    }

    @Override
    public void accept(ConnectionParameters parameters) {
        decided().accept(parameters);
    }

    @Override
    public void reject(byte[] privateData) {
        decided().reject(privateData);
    }

    @Override
    public void disconnect() {
        decided().disconnect();
    }

    @Override
    public CmEvent event() {
        ConnectionId now = provided;
        CmEvent event = now == null ? null : now.event();
        return event == null ? null : manager.translate(event, provider, channel);
    }

    @Override
    public synchronized void migrate(EventChannel target) {
        AddressedEventChannel ours = AddressedEventChannel.require("rdma_migrate_id", target);
        if (provided != null) {
            provided.migrate(ours.of(provider));
        } else {
            if (channel == null) {
                throw new RdmaException("rdma_migrate_id", Errno.EINVAL, "a synchronous id keeps its own channel");
            }
            ours.add(this);
            channel.remove(this);
        }
        channel = ours;
    }

    @Override
    public QueuePairChange queuePairStep(QueuePairState to) {
        return decided().queuePairStep(to);
    }

    @Override
    public void establish() {
        decided().establish();
    }

    @Override
    public void notifyEstablished() {
        decided().notifyEstablished();
    }

    @Override
    public void joinMulticast(InetSocketAddress group, boolean sendOnly) {
        decided().joinMulticast(group, sendOnly);
    }

    @Override
    public void leaveMulticast(InetSocketAddress group) {
        decided().leaveMulticast(group);
    }

    /// Without the lock, because the provider's id waits for the peer, and other threads may read this id meanwhile.
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            if (provided == null) {
                if (channel != null) {
                    channel.remove(this);
                }
                return;
            }
        }
        provided.close();
        manager.remove(provided);
    }

    @Override
    public String toString() {
        ConnectionId now = provided;
        return now == null ? "id[no address yet]" : now.toString();
    }
}
