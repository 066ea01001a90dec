package io.verbena.soft.cm;

import io.verbena.roce.mad.CmaHeader;
import io.verbena.roce.mad.ServiceId;
import io.verbena.soft.SoftContext;
import io.verbena.soft.Waiter;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.qp.SoftQueuePair;
import io.verbena.verbs.Errno;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.UnsupportedVerbException;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.QueuePairType;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionOption;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;

/// An asynchronous id. Its calls hold its monitor and enter the engine; the engine never takes the monitor, so nobody
/// waits in a circle.
class SoftConnectionId implements ConnectionId {
    private enum Stage {
        IDLE,
        BOUND,
        ADDRESS_RESOLVED,
        ROUTE_RESOLVED,
        LISTENING,
        /// Connecting or connected, as the active or the passive side: [CmConnection] knows more.
        IN_USE,
        CLOSED
    }

    private static final Logger LOG = System.getLogger(SoftConnectionId.class.getName());
    /// Not left to the platform, for which it may be the one of IPv6.
    private static final InetSocketAddress ANYWHERE = new InetSocketAddress(InetAddress.ofLiteral("0.0.0.0"), 0);

    final SoftConnectionManager manager;
    private final SoftEventChannel channel;
    private final PortSpace space;
    private final IdOptions options;
    private final LocalPlace place;
    private final QueuePairHandler handler = new QueuePairHandler(this);
    private volatile Object attachment;
    private volatile Stage stage = Stage.IDLE;
    private volatile InetSocketAddress peerAddress;
    private volatile SoftQueuePair queuePair;
    private volatile CmConnection connection;
    private volatile RuntimeException failure;
    private SoftListener listener;

    SoftConnectionId(SoftConnectionManager manager, SoftEventChannel channel, PortSpace space, IdOptions options) {
        this.manager = manager;
        this.channel = channel;
        this.space = space;
        this.options = options;
        this.place = new LocalPlace(manager, space);
        channel.add(this);
        manager.add(this);
    }

    /// The id of a connection request; owned by the engine until the program has it.
    final SoftConnectionId newRequestId(
            SharedDevice device, CmConnection connection, InetSocketAddress local, InetSocketAddress peer) {
        SoftConnectionId request = newSibling(options.copy());
        request.attachment = attachment;
        request.place.at(local, device);
        request.connection = connection;
        request.peerAddress = peer;
        request.stage = Stage.IN_USE;
        request.sayGoodbyeAtExit(device);
        return request;
    }

    SoftConnectionId newSibling(IdOptions options) {
        return new SoftConnectionId(manager, channel, space, options);
    }

    final SoftEventChannel eventChannel() {
        return channel;
    }

    final ConnectionHandler handler() {
        return handler;
    }

    final CmConnection connection() {
        return connection;
    }

    /// What an event with an error number does not tell: why.
    final void failure(RuntimeException reason) {
        failure = reason;
        LOG.log(Level.DEBUG, () -> this + ": " + reason.getMessage());
    }

    /// Null when nothing failed.
    final RuntimeException failure() {
        return failure;
    }

    final Collection<Engine> engines() {
        return place.devices().stream().map(SharedDevice::engine).toList();
    }

    @Override
    public final PortSpace portSpace() {
        return space;
    }

    @Override
    public EventChannel channel() {
        return channel;
    }

    @Override
    public final Object attachment() {
        return attachment;
    }

    @Override
    public final void attachment(Object attachment) {
        this.attachment = attachment;
    }

    /// Null for a listener on all devices, too.
    @Override
    public final SoftContext context() {
        SharedDevice device = place.device();
        return device == null ? null : device.context();
    }

    @Override
    public final ProtectionDomain protectionDomain() {
        SharedDevice device = place.device();
        return device == null ? null : device.domain();
    }

    @Override
    public final SoftQueuePair queuePair() {
        SoftQueuePair present = queuePair;
        return present == null || present.isClosed() ? null : present;
    }

    @Override
    public final InetSocketAddress localAddress() {
        return place.address();
    }

    @Override
    public final InetSocketAddress peerAddress() {
        return peerAddress;
    }

    @Override
    public final Duration timeout() {
        return options.timeout();
    }

    @Override
    public final void timeout(Duration timeout) {
        options.timeout(timeout);
    }

    @Override
    public final void option(ConnectionOption option, int value) {
        options.set(option, value);
    }

    @Override
    public final synchronized void bind(InetSocketAddress local) {
        requireStage("rdma_bind_addr", EnumSet.of(Stage.IDLE), "an id is bound once");
        place.bind(local, options.reuseAddress());
        stage = Stage.BOUND;
    }

    @Override
    public void resolveAddress(InetSocketAddress local, InetSocketAddress peer, Duration timeout) {
        synchronized (this) {
            requireStage("rdma_resolve_addr", EnumSet.of(Stage.IDLE, Stage.BOUND), "an address is resolved once");
            if (local != null && stage == Stage.IDLE) {
                bind(local);
            }
            try {
                place.faceTowards(peer);
                peerAddress = peer;
                stage = Stage.ADDRESS_RESOLVED;
                emit(CmEventType.ADDRESS_RESOLVED, 0);
            } catch (RdmaException e) {
                failure(e);
                emit(CmEventType.ADDRESS_ERROR, -e.errno().number());
            }
        }
    }

    @Override
    public void resolveRoute(Duration timeout) {
        synchronized (this) {
            requireStage("rdma_resolve_route", EnumSet.of(Stage.ADDRESS_RESOLVED), "resolve the address first");
            stage = Stage.ROUTE_RESOLVED;
            emit(CmEventType.ROUTE_RESOLVED, 0);
        }
    }

    @Override
    public final synchronized QueuePair createQueuePair(ProtectionDomain pd, QueuePairOptions wanted) {
        SharedDevice device = place.device();
        if (device == null || stage == Stage.CLOSED) {
            throw invalid("rdma_create_qp", "the id has no device yet; resolve the address first");
        }
        if (queuePair() != null) {
            throw invalid("rdma_create_qp", "the id has one already");
        }
        if (wanted.type() != QueuePairType.RC) {
            throw new UnsupportedVerbException(
                    device.context().device().name(),
                    "rdma_create_qp of type " + wanted.type() + " in port space " + space);
        }
        ProtectionDomain domain = pd == null ? device.domain() : pd;
        if (!(domain.context() instanceof SoftContext context) || context.engine() != device.engine()) {
            throw invalid(
                    "rdma_create_qp", "the protection domain is not of " + device.context() + ", which the id uses");
        }
        SoftQueuePair made = (SoftQueuePair) domain.createQueuePair(wanted);
        try {
            made.modify(QueuePairChange.toInit().access(Access.REMOTE_WRITE));
        } catch (RuntimeException e) {
            made.close();
            throw e;
        }
        queuePair = made;
        return made;
    }

    @Override
    public void connect(ConnectionParameters parameters) {
        synchronized (this) {
            requireStage(
                    "rdma_connect", EnumSet.of(Stage.ROUTE_RESOLVED), "resolve address and route first, connect once");
            SharedDevice device = place.device();
            PortFacts facts = device.agent().port().facts();
            LocalSettings settings = ParameterRules.connect(parameters, queuePair(), facts, options);
            Gid from = facts.gid();
            Gid to = Gid.of(peerAddress.getAddress());
            ConnectTarget target = new ConnectTarget(
                    to,
                    ServiceId.of(space.code(), peerAddress.getPort()),
                    CmaHeader.of(place.address().getPort(), from.high(), from.low(), to.high(), to.low()),
                    options.trafficClass());
            stage = Stage.IN_USE;
            sayGoodbyeAtExit(device);
            device.engine().execute(() -> {
                connection = device.agent().newConnection(handler);
                connection.connect(target, settings);
            });
        }
    }

    @Override
    public final synchronized void listen(int backlog) {
        if (stage == Stage.IDLE) {
            bind(ANYWHERE);
        }
        requireStage("rdma_listen", EnumSet.of(Stage.BOUND), "listen on an id that is bound, or new");
        SoftListener made = new SoftListener(this, place.address().getPort(), backlog);
        made.start(place.openAll());
        listener = made;
        stage = Stage.LISTENING;
    }

    @Override
    public ConnectionId awaitRequest(Duration timeout) {
        throw invalid("rdma_get_request", "requests of this id arrive on its event channel");
    }

    @Override
    public void accept(ConnectionParameters parameters) {
        synchronized (this) {
            CmConnection request = requireConnection("rdma_accept");
            SharedDevice device = place.device();
            LocalSettings settings = ParameterRules.accept(
                    parameters, queuePair(), device.agent().port().facts(), options);
            device.engine().execute(() -> request.accept(settings));
        }
    }

    @Override
    public final synchronized void reject(byte[] privateData) {
        CmConnection request = requireConnection("rdma_reject");
        byte[] data = ParameterRules.reject(privateData);
        place.device().engine().execute(() -> request.reject(data));
    }

    @Override
    public void disconnect() {
        synchronized (this) {
            CmConnection present = requireConnection("rdma_disconnect");
            long timeoutNs = Waiter.nanoseconds(options.timeout());
            place.device().engine().execute(() -> present.disconnect(timeoutNs));
        }
    }

    @Override
    public CmEvent event() {
        return null;
    }

    @Override
    public void close() {
        synchronized (this) {
            if (stage == Stage.CLOSED) {
                return;
            }
            stage = Stage.CLOSED;
            if (listener != null) {
                listener.stop();
            }
        }
        // The queue pair first: it still acknowledges what it received, which must arrive before the good-bye.
        try {
            if (queuePair != null) {
                queuePair.close();
            }
        } finally {
            leave();
        }
    }

    private void leave() {
        try {
            sayGoodbye();
        } finally {
            manager.remove(this);
            channel.remove(this).forEach(SoftConnectionId::close);
            place.release();
        }
    }

    /// A simulated host does not end with the process.
    private void sayGoodbyeAtExit(SharedDevice device) {
        if (device.engine().simulation() == null) {
            manager.sayGoodbyeAtExit();
        }
    }

    final boolean uses(SharedDevice device) {
        return place.devices().contains(device);
    }

    /// Tells the peer that this side is gone, if there is a peer.
    final void sayGoodbye() {
        CmConnection present = connection;
        if (present != null) {
            place.device().engine().execute(present::close);
        }
    }

    final void requireListening() {
        requireStage("rdma_get_request", EnumSet.of(Stage.LISTENING), "requests come to an id that listens");
    }

    private void emit(CmEventType type, int status) {
        channel.put(new CmEvent(
                type, this, null, status, CmMessages.NO_PARAMETERS, null, EventText.of(type, status, failure)));
    }

    private CmConnection requireConnection(String verb) {
        if (connection == null || stage != Stage.IN_USE) {
            throw invalid(verb, "the id is " + stage + " and has no connection");
        }
        return connection;
    }

    private void requireStage(String verb, EnumSet<Stage> allowed, String remedy) {
        if (!allowed.contains(stage)) {
            throw invalid(verb, "the id is " + stage + "; " + remedy);
        }
    }

    private static RdmaException invalid(String verb, String remedy) {
        return new RdmaException(verb, Errno.EINVAL, remedy);
    }

    @Override
    public String toString() {
        return "id[" + place.address() + " -> " + peerAddress + ", " + stage + "]";
    }
}
