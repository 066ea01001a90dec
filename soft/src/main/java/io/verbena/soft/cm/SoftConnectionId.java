package io.verbena.soft.cm;

import io.verbena.soft.device.SoftContext;
import io.verbena.soft.os.NanoClock;
import io.verbena.soft.qp.SoftQueuePair;
import io.verbena.verbs.Errno;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionOption;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.DatagramPeer;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import io.verbena.verbs.spi.CmEventText;
import io.verbena.verbs.spi.ConnectionIdBase;
import io.verbena.verbs.spi.ConnectionOptions;
import io.verbena.verbs.spi.IdQueuePair;
import io.verbena.verbs.spi.ParameterRules;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Objects;

/// An id: what programs call. Its calls hold its monitor and enter the engine; the engine never takes the
/// monitor, so there is no deadlock.
final class SoftConnectionId extends ConnectionIdBase {
    final SoftConnectionManager manager;
    private final SoftIdChannel channel;
    private final LocalBinding binding;
    private final IdQueuePair<SoftQueuePair> queuePair;
    private final PeerProtocol protocol;
    private final IdGroups groups = new IdGroups();
    private final IdFailure failure = new IdFailure(this);
    private volatile IdStage stage = IdStage.IDLE;
    private volatile InetSocketAddress peerAddress;
    private SoftListener listener;

    /// @param isSynchronous whether its calls wait for their outcome, on that channel, which is its own
    SoftConnectionId(
            SoftConnectionManager manager,
            SoftEventChannel channel,
            PortSpace space,
            ConnectionOptions options,
            boolean isSynchronous) {
        super(space, options, isSynchronous ? channel : null);
        this.manager = manager;
        this.binding = new LocalBinding(manager, space, this::onDevice);
        this.queuePair = new IdQueuePair<>(space, SoftQueuePair.class, SoftQueuePair::isClosed);
        this.protocol = isDatagram() ? new DatagramProtocol(this) : new ConnectionProtocol(this);
        this.channel = new SoftIdChannel(this, channel);
        manager.add(this);
    }

    /// The id of a connection request; owned by the engine until the program has it.
    SoftConnectionId newRequestId(
            SoftEventChannel channel, SoftSharedDevice device, InetSocketAddress local, InetSocketAddress peer) {
        SoftEventChannel its = isSynchronous() ? new SoftEventChannel() : channel;
        SoftConnectionId request =
                new SoftConnectionId(manager, its, portSpace(), options().copy(), isSynchronous());
        request.attachment(attachment());
        request.binding.at(local, device);
        request.peerAddress = peer;
        request.inUse();
        return request;
    }

    private void onDevice(SoftSharedDevice device) {
        channel.use(device);
    }

    // ---- for the parts of the id ----

    SoftIdChannel eventChannel() {
        return channel;
    }

    LocalBinding binding() {
        return binding;
    }

    IdQueuePair<SoftQueuePair> ownQueuePair() {
        return queuePair;
    }

    PeerProtocol protocol() {
        return protocol;
    }

    IdFailure failure() {
        return failure;
    }

    boolean uses(SoftSharedDevice device) {
        return binding.devices().contains(device);
    }

    /// There is a peer from now on, which must be told when the process ends. Simulated hosts do not end with the
    /// process.
    void inUse() {
        stage = IdStage.IN_USE;
        if (binding.device().engine().simulation() == null) {
            manager.disconnectAtExit();
        }
    }

    /// The target of the id's request.
    ConnectTarget target() {
        return binding.target(peerAddress, options().typeOfService());
    }

    private void emit(CmEventType type, int status) {
        emit(type, status, null);
    }

    private void emit(CmEventType type, int status, DatagramPeer way) {
        String text = CmEventText.of(type, status, failure.text(type));
        channel.put(new CmEvent(type, this, null, status, CmMessages.NO_PARAMETERS, way, text));
    }

    // ---- readable at any time ----

    @Override
    protected EventChannel currentChannel() {
        return channel.get();
    }

    @Override
    protected IdStage stage() {
        return stage;
    }

    @Override
    protected boolean isClosed() {
        return stage == IdStage.CLOSED;
    }

    /// The time of the device, which may be simulated.
    @Override
    protected long nowNs() {
        SoftSharedDevice device = binding.device();
        return (device == null ? NanoClock.SYSTEM : device.engine().clock()).nowNs();
    }

    @Override
    protected RuntimeException failureReason() {
        return failure.get();
    }

    /// Null for a listener on all devices, too.
    @Override
    public SoftContext context() {
        SoftSharedDevice device = binding.device();
        return device == null ? null : device.context();
    }

    @Override
    public ProtectionDomain protectionDomain() {
        SoftSharedDevice device = binding.device();
        return device == null ? null : device.domain();
    }

    @Override
    public SoftQueuePair queuePair() {
        return queuePair.get();
    }

    @Override
    public InetSocketAddress localAddress() {
        return binding.address();
    }

    @Override
    public InetSocketAddress peerAddress() {
        return peerAddress;
    }

    // ---- calls ----

    @Override
    public synchronized void option(ConnectionOption option, int value) {
        require("rdma_set_option", IdStage.OPEN, "");
        options().set(option, value);
    }

    @Override
    public synchronized void bind(InetSocketAddress local) {
        require("rdma_bind_addr", IdStage.UNBOUND, "an id is bound once");
        binding.bind(local, options());
        stage = IdStage.BOUND;
    }

    @Override
    protected void startResolvingAddress(InetSocketAddress local, InetSocketAddress peer, Duration timeout) {
        synchronized (this) {
            require("rdma_resolve_addr", IdStage.RESOLVABLE, "an address is resolved once");
            if (local != null && stage == IdStage.IDLE) {
                bind(local);
            }
            try {
                binding.resolveTowards(peer, options());
                peerAddress = peer;
                stage = IdStage.ADDRESS_RESOLVED;
                emit(CmEventType.ADDRESS_RESOLVED, 0);
            } catch (RdmaException e) {
                failure.set(e);
                emit(CmEventType.ADDRESS_ERROR, -e.errno().number());
            }
        }
    }

    @Override
    protected void startResolvingRoute(Duration timeout) {
        synchronized (this) {
            require("rdma_resolve_route", EnumSet.of(IdStage.ADDRESS_RESOLVED), "resolve the address first");
            stage = IdStage.ROUTE_RESOLVED;
            emit(CmEventType.ROUTE_RESOLVED, 0);
        }
    }

    @Override
    public synchronized QueuePair createQueuePair(ProtectionDomain pd, QueuePairOptions wanted) {
        require("rdma_create_qp", IdStage.OPEN, "");
        Objects.requireNonNull(wanted, "the options are null; QueuePairOptions.rc(cq) makes some");
        SoftSharedDevice device = binding.requireDevice("rdma_create_qp");
        ProtectionDomain domain = pd == null ? device.domain() : pd;
        if (!(domain.context() instanceof SoftContext context)
                || context.device() != device.context().device()) {
            throw new RdmaException(
                    "rdma_create_qp",
                    Errno.EINVAL,
                    "the protection domain is not of " + device.context() + ", which the id uses");
        }
        return queuePair.create(device.context().device().name(), domain, wanted, protocol::init);
    }

    @Override
    public synchronized QueuePairChange queuePairStep(QueuePairState to) {
        require("rdma_init_qp_attr", IdStage.OPEN, "");
        binding.requireDevice("rdma_init_qp_attr");
        return protocol.step(to);
    }

    @Override
    protected void startConnecting(ConnectionParameters parameters) {
        synchronized (this) {
            require("rdma_connect", IdStage.CONNECTABLE, "resolve address and route first, connect once");
            protocol.connect(parameters);
        }
    }

    @Override
    public synchronized void listen(int backlog) {
        ParameterRules.requireBacklog(backlog);
        if (stage == IdStage.IDLE) {
            bind(LocalBinding.ANYWHERE);
        }
        require("rdma_listen", EnumSet.of(IdStage.BOUND), "listen on an id that is bound, or new");
        SoftListener made = new SoftListener(this, binding.address().getPort(), backlog);
        made.start();
        listener = made;
        stage = IdStage.LISTENING;
    }

    @Override
    protected void startAccepting(ConnectionParameters parameters) {
        synchronized (this) {
            requireInUse("rdma_accept");
            protocol.accept(parameters);
        }
    }

    @Override
    public synchronized void reject(byte[] privateData) {
        requireInUse("rdma_reject");
        protocol.reject(privateData);
    }

    @Override
    public synchronized void establish() {
        requireInUse("rdma_establish");
        protocol.establish();
    }

    @Override
    public synchronized void notifyEstablished() {
        requireInUse("rdma_notify");
        protocol.notifyEstablished();
    }

    @Override
    protected void startDisconnecting() {
        synchronized (this) {
            requireInUse("rdma_disconnect");
            protocol.disconnect();
        }
    }

    @Override
    protected void startJoining(InetSocketAddress group, boolean sendOnly) {
        synchronized (this) {
            require("rdma_join_multicast", IdStage.OPEN, "");
            SoftSharedDevice device = binding.requireDevice("rdma_join_multicast");
            if (!isDatagram()) {
                throw new RdmaException(
                        "rdma_join_multicast", Errno.EINVAL, "groups are for datagrams; make the id in port space UDP");
            }
            try {
                DatagramPeer way = groups.join(
                        device, queuePair(), group, sendOnly, options().typeOfService());
                emit(CmEventType.MULTICAST_JOIN, 0, way);
            } catch (RdmaException e) {
                failure.set(e);
                emit(CmEventType.MULTICAST_ERROR, -e.errno().number());
            }
        }
    }

    @Override
    public synchronized void leaveMulticast(InetSocketAddress group) {
        require("rdma_leave_multicast", IdStage.OPEN, "");
        groups.leave(group);
    }

    @Override
    protected synchronized void moveTo(EventChannel target) {
        require("rdma_migrate_id", IdStage.OPEN, "");
        if (!(target instanceof SoftEventChannel ours)) {
            throw new RdmaException(
                    "rdma_migrate_id", Errno.EINVAL, "the channel is not of this connection manager, or there is none");
        }
        channel.migrate(ours);
    }

    /// A second call waits for the first, because after any close the channel may be closed too.
    @Override
    protected synchronized void end() {
        if (stage == IdStage.CLOSED) {
            queuePair.closeQueues(); // those that another queue pair still used
            return;
        }
        stage = IdStage.CLOSED;
        if (listener != null) {
            listener.stop();
        }
        groups.leaveAll();
        // The queue pair first: it still sends acknowledgements, which must arrive before the DREQ.
        try {
            queuePair.close();
        } finally {
            leave();
        }
    }

    private void leave() {
        try {
            protocol.close();
        } finally {
            manager.remove(this);
            channel.leave().forEach(SoftConnectionId::close);
            binding.release();
        }
    }

    @Override
    protected void requireListening() {
        require("rdma_get_request", EnumSet.of(IdStage.LISTENING), "requests come to an id that listens");
    }

    private void requireInUse(String verb) {
        require(verb, EnumSet.of(IdStage.IN_USE), "it has no connection");
    }
}
