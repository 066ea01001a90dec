package io.verbena.soft.cm;

import io.verbena.soft.device.SoftContext;
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
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionOption;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.DatagramPeer;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import io.verbena.verbs.spi.CmEventText;
import io.verbena.verbs.spi.ConnectionOptions;
import io.verbena.verbs.spi.ParameterRules;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/// An asynchronous id: what programs call. Its calls hold its monitor and enter the engine; the engine never takes the
/// monitor, so there is no deadlock.
class SoftConnectionId implements ConnectionId {
    final SoftConnectionManager manager;
    private final SoftIdChannel channel;
    private final PortSpace space;
    private final ConnectionOptions options;
    private final LocalBinding binding;
    private final IdQueuePair queuePair;
    private final PeerProtocol protocol;
    private final IdGroups groups = new IdGroups();
    private final IdFailure failure = new IdFailure(this);
    private volatile Object attachment;
    private volatile IdStage stage = IdStage.IDLE;
    private volatile InetSocketAddress peerAddress;
    private SoftListener listener;

    SoftConnectionId(
            SoftConnectionManager manager, SoftEventChannel channel, PortSpace space, ConnectionOptions options) {
        this.manager = manager;
        this.space = space;
        this.options = options;
        this.binding = new LocalBinding(manager, space, this::onDevice);
        this.queuePair = new IdQueuePair(space);
        this.protocol = PortSpaces.isDatagram(space) ? new DatagramProtocol(this) : new ConnectionProtocol(this);
        this.channel = new SoftIdChannel(this, channel);
        manager.add(this);
    }

    /// The id of a connection request; owned by the engine until the program has it.
    final SoftConnectionId newRequestId(
            SoftEventChannel channel, SoftSharedDevice device, InetSocketAddress local, InetSocketAddress peer) {
        SoftConnectionId request = newSibling(channel, options.copy());
        request.attachment = attachment;
        request.binding.at(local, device);
        request.peerAddress = peer;
        request.inUse();
        return request;
    }

    SoftConnectionId newSibling(SoftEventChannel channel, ConnectionOptions options) {
        return new SoftConnectionId(manager, channel, space, options);
    }

    private void onDevice(SoftSharedDevice device) {
        channel.use(device);
    }

    // ---- for the parts of the id ----

    final SoftIdChannel eventChannel() {
        return channel;
    }

    final LocalBinding binding() {
        return binding;
    }

    final ConnectionOptions options() {
        return options;
    }

    final IdQueuePair ownQueuePair() {
        return queuePair;
    }

    final PeerProtocol protocol() {
        return protocol;
    }

    final IdFailure failure() {
        return failure;
    }

    final boolean uses(SoftSharedDevice device) {
        return binding.devices().contains(device);
    }

    /// There is a peer from now on, which must be told when the process ends. Simulated hosts do not end with the
    /// process.
    final void inUse() {
        stage = IdStage.IN_USE;
        if (binding.device().engine().simulation() == null) {
            manager.disconnectAtExit();
        }
    }

    /// The target of the id's request.
    final ConnectTarget target() {
        return binding.target(peerAddress, options.typeOfService());
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
    public final PortSpace portSpace() {
        return space;
    }

    @Override
    public EventChannel channel() {
        return channel.get();
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
        SoftSharedDevice device = binding.device();
        return device == null ? null : device.context();
    }

    @Override
    public final ProtectionDomain protectionDomain() {
        SoftSharedDevice device = binding.device();
        return device == null ? null : device.domain();
    }

    @Override
    public final SoftQueuePair queuePair() {
        return queuePair.get();
    }

    @Override
    public final InetSocketAddress localAddress() {
        return binding.address();
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
    public CmEvent event() {
        return null;
    }

    // ---- calls ----

    @Override
    public final synchronized void option(ConnectionOption option, int value) {
        require("rdma_set_option", IdStage.OPEN, "");
        options.set(option, value);
    }

    @Override
    public final synchronized void bind(InetSocketAddress local) {
        require("rdma_bind_addr", IdStage.UNBOUND, "an id is bound once");
        binding.bind(local, options);
        stage = IdStage.BOUND;
    }

    @Override
    public void resolveAddress(InetSocketAddress local, InetSocketAddress peer, Duration timeout) {
        synchronized (this) {
            require("rdma_resolve_addr", IdStage.RESOLVABLE, "an address is resolved once");
            if (local != null && stage == IdStage.IDLE) {
                bind(local);
            }
            try {
                binding.resolveTowards(peer, options);
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
    public void resolveRoute(Duration timeout) {
        synchronized (this) {
            require("rdma_resolve_route", EnumSet.of(IdStage.ADDRESS_RESOLVED), "resolve the address first");
            stage = IdStage.ROUTE_RESOLVED;
            emit(CmEventType.ROUTE_RESOLVED, 0);
        }
    }

    @Override
    public final synchronized QueuePair createQueuePair(ProtectionDomain pd, QueuePairOptions wanted) {
        require("rdma_create_qp", IdStage.OPEN, "");
        Objects.requireNonNull(wanted, "the options are null; QueuePairOptions.rc(cq) makes some");
        return queuePair.create(binding.requireDevice("rdma_create_qp"), pd, wanted);
    }

    @Override
    public final synchronized QueuePairChange queuePairStep(QueuePairState to) {
        require("rdma_init_qp_attr", IdStage.OPEN, "");
        binding.requireDevice("rdma_init_qp_attr");
        return protocol.step(to);
    }

    @Override
    public void connect(ConnectionParameters parameters) {
        synchronized (this) {
            require("rdma_connect", IdStage.CONNECTABLE, "resolve address and route first, connect once");
            protocol.connect(parameters);
        }
    }

    @Override
    public final synchronized void listen(int backlog) {
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
    public ConnectionId awaitRequest(Duration timeout) {
        throw new RdmaException("rdma_get_request", Errno.EINVAL, "requests of this id arrive on its event channel");
    }

    @Override
    public void accept(ConnectionParameters parameters) {
        synchronized (this) {
            requireInUse("rdma_accept");
            protocol.accept(parameters);
        }
    }

    @Override
    public final synchronized void reject(byte[] privateData) {
        requireInUse("rdma_reject");
        protocol.reject(privateData);
    }

    @Override
    public final synchronized void establish() {
        requireInUse("rdma_establish");
        protocol.establish();
    }

    @Override
    public final synchronized void notifyEstablished() {
        requireInUse("rdma_notify");
        protocol.notifyEstablished();
    }

    @Override
    public void disconnect() {
        synchronized (this) {
            requireInUse("rdma_disconnect");
            protocol.disconnect();
        }
    }

    @Override
    public void joinMulticast(InetSocketAddress group, boolean sendOnly) {
        synchronized (this) {
            require("rdma_join_multicast", IdStage.OPEN, "");
            SoftSharedDevice device = binding.requireDevice("rdma_join_multicast");
            if (!PortSpaces.isDatagram(space)) {
                throw new RdmaException(
                        "rdma_join_multicast", Errno.EINVAL, "groups are for datagrams; make the id in port space UDP");
            }
            try {
                DatagramPeer way = groups.join(device, queuePair(), group, sendOnly, options.typeOfService());
                emit(CmEventType.MULTICAST_JOIN, 0, way);
            } catch (RdmaException e) {
                failure.set(e);
                emit(CmEventType.MULTICAST_ERROR, -e.errno().number());
            }
        }
    }

    @Override
    public final synchronized void leaveMulticast(InetSocketAddress group) {
        require("rdma_leave_multicast", IdStage.OPEN, "");
        groups.leave(group);
    }

    @Override
    public synchronized void migrate(EventChannel target) {
        require("rdma_migrate_id", IdStage.OPEN, "");
        if (!(target instanceof SoftEventChannel ours)) {
            throw new RdmaException(
                    "rdma_migrate_id", Errno.EINVAL, "the channel is not of this connection manager, or there is none");
        }
        channel.migrate(ours);
    }

    /// A second call waits for the first, because after any close the channel may be closed too.
    @Override
    public synchronized void close() {
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

    final void requireListening() {
        require("rdma_get_request", EnumSet.of(IdStage.LISTENING), "requests come to an id that listens");
    }

    private void requireInUse(String verb) {
        require(verb, EnumSet.of(IdStage.IN_USE), "it has no connection");
    }

    private void require(String verb, Set<IdStage> allowed, String remedy) {
        IdStage now = stage;
        if (now == IdStage.CLOSED) {
            throw new RdmaException(verb, Errno.EBADF, "the id is closed");
        }
        if (!allowed.contains(now)) {
            throw new RdmaException(verb, Errno.EINVAL, "the id is " + now + "; " + remedy);
        }
    }

    @Override
    public String toString() {
        return "id[" + binding.address() + " -> " + peerAddress + ", " + stage + "]";
    }
}
