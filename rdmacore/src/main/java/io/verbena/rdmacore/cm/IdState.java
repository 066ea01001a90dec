package io.verbena.rdmacore.cm;

import io.verbena.rdmacore.event.Waits;
import io.verbena.rdmacore.layout.RdmaCmId;
import io.verbena.rdmacore.layout.SocketAddress;
import io.verbena.rdmacore.qp.NativeQueuePair;
import io.verbena.verbs.Errno;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.spi.IdQueuePair;
import io.verbena.verbs.spi.ParameterRules;
import io.verbena.verbs.spi.QueuePairTiming;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/// The state of an id and how calls change it; [IdEvents] changes it on events. All methods need the lock unless they
/// say otherwise.
final class IdState {
    private static final Logger LOG = System.getLogger(IdState.class.getName());

    final NativeConnectionId id;
    final NativeConnectionManager manager;
    final IdEvents events = new IdEvents(this);
    final MulticastGroups groups = new MulticastGroups();
    private final NativeIdChannel channel;
    private volatile NativeIdStage stage = NativeIdStage.IDLE;
    private volatile InetSocketAddress local;
    private volatile InetSocketAddress peer;
    private volatile NativeSharedDevice device;
    private volatile int port;
    private final IdQueuePair<NativeQueuePair> queuePair;
    private boolean isAnswered;
    /// The `rdma_cm_id`; 0 before there is one and when it was given up.
    private long address;
    /// The address that is being resolved, or was.
    private AddressResolution search;
    /// The parameters of the peer's request.
    private ConnectionParameters asked = EventData.NO_PARAMETERS;

    IdState(NativeConnectionId id, NativeConnectionManager manager, NativeEventChannel channel) {
        this.id = id;
        this.manager = manager;
        this.channel = new NativeIdChannel(channel);
        this.queuePair = new IdQueuePair<>(id.portSpace(), NativeQueuePair.class, NativeQueuePair::isClosed);
    }

    /// Locks the channel that the id has, and returns it to be unlocked. Without the lock.
    NativeEventChannel lock() {
        return channel.lock();
    }

    // ---- readable by any thread, without the lock ----

    NativeEventChannel channel() {
        return channel.get();
    }

    NativeIdStage stage() {
        return stage;
    }

    InetSocketAddress localAddress() {
        return local;
    }

    InetSocketAddress peerAddress() {
        return peer;
    }

    NativeSharedDevice device() {
        return device;
    }

    int port() {
        return port;
    }

    /// Null when there is none, or it was closed.
    NativeQueuePair queuePair() {
        return queuePair.get();
    }

    /// As [#queuePair], closed or not.
    NativeQueuePair ownQueuePair() {
        return queuePair.made();
    }

    private boolean isDatagram() {
        return id.isDatagram();
    }

    QueuePairTiming timing() {
        return id.options().timing();
    }

    // ---- its life ----

    long address() {
        return address;
    }

    void stage(NativeIdStage next) {
        stage = next;
    }

    AddressResolution search() {
        return search;
    }

    /// Without the lock.
    void create() {
        EventService service = manager.service();
        long serviceChannel = service.retain();
        NativeEventChannel held = lock();
        boolean made = false;
        try {
            held.add(this);
            address = IdCalls.create(serviceChannel, id.portSpace().code());
            service.add(address, this);
            made = true;
        } finally {
            if (!made) {
                held.remove(this);
                service.release();
            }
            held.unlock();
        }
    }

    /// Takes the id of a request over, while the channel of the listener is locked; closed when that fails.
    void adopt(EventData request) {
        EventService service = manager.service();
        NativeEventChannel held = lock();
        long serviceChannel = service.retain();
        address = request.id();
        boolean done = false;
        try {
            service.add(address, this);
            IdCalls.check("rdma_migrate_id", Rdmacm.LIB.migrateId(address, serviceChannel));
            asked = request.parameters();
            readPlace();
            stage = NativeIdStage.REQUESTED;
            held.add(this);
            done = true;
        } finally {
            if (!done) {
                stage = NativeIdStage.CLOSED;
                destroyCmId();
                service.release();
                releaseDevice();
            }
            held.unlock();
        }
    }

    /// Destroys the `rdma_cm_id`; the object stays.
    void destroyCmId() {
        if (address == 0) {
            return;
        }
        long gone = address;
        address = 0;
        int failed = Rdmacm.LIB.destroyId(gone);
        manager.service().remove(gone, this);
        channel.get().removeListener(gone);
        if (failed < 0) {
            LOG.log(Level.WARNING, "rdma_destroy_id failed with error number {0}", -failed);
        }
    }

    /// Without the lock. A second call waits for the first, because after any close the channel may be closed too.
    synchronized void close() {
        boolean isClosed;
        NativeEventChannel held = lock();
        try {
            isClosed = stage == NativeIdStage.CLOSED;
            stage = NativeIdStage.CLOSED;
        } finally {
            held.unlock();
        }
        if (isClosed) {
            queuePair.closeQueues(); // those that another queue pair still used
            return;
        }
        try {
            closeQueuePair();
        } finally {
            leave();
        }
    }

    private void closeQueuePair() {
        NativeQueuePair present = queuePair();
        try {
            if (present != null) {
                groups.detachAll(present);
            }
        } finally {
            queuePair.close();
        }
    }

    private void leave() {
        EventService service = manager.service();
        NativeEventChannel held = lock();
        try {
            service.cancelDeadline(this);
            destroyCmId();
            held.remove(this);
        } finally {
            held.unlock();
        }
        service.release();
        releaseDevice();
    }

    private void releaseDevice() {
        if (device != null) {
            device.release();
        }
    }

    /// Without the lock: takes both.
    void migrate(NativeEventChannel target) {
        NativeEventChannel from = channel.lockWith(target);
        try {
            if (stage == NativeIdStage.CLOSED) {
                throw new RdmaException("rdma_migrate_id", Errno.EBADF, "the id is closed");
            }
            if (from == target) {
                return;
            }
            target.add(this);
            List<IdState> requests = List.of();
            if (stage == NativeIdStage.LISTENING) {
                requests = from.takeRequests(id);
                try {
                    IdCalls.check("rdma_migrate_id", Rdmacm.LIB.migrateId(address, target.listenChannel()));
                } catch (RuntimeException e) {
                    target.remove(this);
                    throw e;
                }
                from.removeListener(address);
                target.addListener(address, this);
            }
            from.remove(this).forEach(target::put);
            channel.set(target);
            requests.forEach(request -> request.migrate(target));
        } finally {
            from.unlock();
            target.unlock();
        }
    }

    // ---- calls ----

    NativeSharedDevice requireDevice(String verb) {
        if (device == null) {
            throw new RdmaException(verb, Errno.EINVAL, "the id has no device yet; resolve the address first");
        }
        return device;
    }

    void createQueuePair(long rdmaId, ProtectionDomain domain, QueuePairOptions wanted) {
        queuePair.create(
                device.context().device().name(),
                domain,
                wanted,
                made -> QueuePairSteps.init(rdmaId, port, made, isDatagram()));
    }

    void bind(long rdmaId, InetSocketAddress wanted) {
        IdCalls.bind(rdmaId, wanted);
        readPlace();
        stage = NativeIdStage.BOUND;
    }

    /// Addresses and device, as librdmacm knows them now.
    void readPlace() {
        local = SocketAddress.get(RdmaCmId.source(address));
        InetSocketAddress other = SocketAddress.get(RdmaCmId.destination(address));
        boolean isKnown = other != null && !(other.getAddress().isAnyLocalAddress() && other.getPort() == 0);
        peer = isKnown ? other : null;
        long context = RdmaCmId.VERBS.get(address);
        if (context != 0 && device == null) {
            device = manager.devices().acquire(context);
            port = RdmaCmId.PORT_NUM.get(address);
        }
    }

    void resolveAddress(long rdmaId, InetSocketAddress wanted, Duration timeout) {
        search = new AddressResolution(wanted, CmClock.nowNs() + Waits.nanoseconds(timeout));
        resolving(CmEventType.ADDRESS_ERROR, search.start(rdmaId, CmClock.nowNs()));
    }

    void resolveRoute(long rdmaId, Duration timeout) {
        resolving(CmEventType.ROUTE_ERROR, IdCalls.resolveRoute(rdmaId, timeout));
    }

    /// An address or route is being resolved, or that failed at once, which the program hears by an event as well.
    private void resolving(CmEventType error, int result) {
        if (result < 0) {
            channel.get().put(events.event(error, result, EventData.NO_PARAMETERS, ""));
        } else {
            stage = NativeIdStage.RESOLVING;
        }
    }

    void connect(long rdmaId, ConnectionParameters parameters) {
        ConnectionParameters told = ParameterRules.connect(
                parameters,
                queuePair(),
                queuePair.hasSharedReceiveQueue(),
                isDatagram(),
                requireDevice("rdma_connect").context().attributes());
        IdCalls.check("rdma_connect", IdCalls.connect(rdmaId, told), "to " + peer);
        stage = NativeIdStage.CONNECTING;
        startDeadline();
    }

    void listen(long rdmaId, int backlog) {
        IdCalls.check(
                "rdma_migrate_id", Rdmacm.LIB.migrateId(rdmaId, channel.get().listenChannel()));
        manager.service().remove(rdmaId, this);
        channel.get().addListener(rdmaId, this);
        IdCalls.check("rdma_listen", Rdmacm.LIB.listen(rdmaId, backlog), local == null ? "" : "on " + local);
        readPlace();
        stage = NativeIdStage.LISTENING;
    }

    void accept(long rdmaId, ConnectionParameters parameters) {
        NativeQueuePair qp = queuePair();
        ConnectionParameters told = ParameterRules.accept(
                parameters,
                asked,
                qp,
                queuePair.hasSharedReceiveQueue(),
                isDatagram(),
                requireDevice("rdma_accept").context().attributes());
        try {
            if (qp != null && !isDatagram()) {
                QueuePairSteps.accept(rdmaId, qp, timing(), told.responderResources(), told.initiatorDepth());
            }
            IdCalls.check(
                    "rdma_accept", IdCalls.accept(rdmaId, told), "of " + peer + ", who may have given up meanwhile");
        } catch (RuntimeException e) {
            QueuePairSteps.fail(qp);
            throw e;
        }
        stage = isDatagram() ? NativeIdStage.CONNECTED : NativeIdStage.ACCEPTED;
        if (!isDatagram()) {
            startDeadline();
        }
    }

    void reject(long rdmaId, byte[] data) {
        IdCalls.check("rdma_reject", IdCalls.reject(rdmaId, data), "of " + peer);
        QueuePairSteps.fail(queuePair());
        stage = NativeIdStage.FAILED;
    }

    /// The peer accepted, and the program moves its queue pair itself.
    void answered() {
        isAnswered = true;
    }

    void establish(long rdmaId) {
        requireDevice("rdma_establish");
        if (ownQueuePair() != null) {
            throw new RdmaException("rdma_establish", Errno.EINVAL, "the id moves its queue pair by itself");
        }
        if (!isAnswered) { // too early, the kernel forgets the connection
            throw new RdmaException(
                    "rdma_establish", Errno.EINVAL, "the peer has not answered; await CONNECT_RESPONSE");
        }
        IdCalls.check("rdma_establish", Rdmacm.LIB.establish(rdmaId));
        manager.service().cancelDeadline(this);
        stage = NativeIdStage.CONNECTED;
    }

    void disconnect() {
        QueuePairSteps.fail(queuePair());
        if (stage == NativeIdStage.CONNECTED && address != 0) {
            IdCalls.check("rdma_disconnect", Rdmacm.LIB.disconnect(address));
            stage = NativeIdStage.DISCONNECTING;
            startDeadline();
        } else if (stage == NativeIdStage.ACCEPTED) {
            events.end(CmEventType.DISCONNECTED, 0); // not confirmed yet: the request is refused after all
        }
    }

    private void startDeadline() {
        manager.service().deadline(this, id.timeoutNs());
    }

    @Override
    public String toString() {
        return id.toString();
    }
}
