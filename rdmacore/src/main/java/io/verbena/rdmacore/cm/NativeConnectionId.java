package io.verbena.rdmacore.cm;

import io.verbena.rdmacore.NativeContext;
import io.verbena.rdmacore.event.Waits;
import io.verbena.rdmacore.qp.NativeQueuePair;
import io.verbena.verbs.Errno;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.UnsupportedVerbException;
import io.verbena.verbs.attr.AsyncEventType;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.attr.QueuePairType;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionOption;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import io.verbena.verbs.spi.ConnectionOptions;
import io.verbena.verbs.spi.ParameterRules;
import io.verbena.verbs.spi.PortSpaceRules;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/// An asynchronous id: what programs call. Each call holds the lock of the id's channel.
class NativeConnectionId implements ConnectionId {
    final IdState state;
    private volatile Object attachment;

    NativeConnectionId(
            NativeConnectionManager manager, NativeEventChannel channel, PortSpace space, ConnectionOptions options) {
        this.state = new IdState(this, manager, channel, space, options);
    }

    /// An id for a request to this one, with a channel as it needs one.
    NativeConnectionId newSibling() {
        return new NativeConnectionId(state.manager, state.channel(), state.space, state.options.copy());
    }

    @Override
    public final PortSpace portSpace() {
        return state.space;
    }

    @Override
    public EventChannel channel() {
        return state.channel();
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
    public final NativeContext context() {
        NativeSharedDevice device = state.device();
        return device == null ? null : device.context();
    }

    @Override
    public final int port() {
        return state.port();
    }

    @Override
    public final ProtectionDomain protectionDomain() {
        NativeSharedDevice device = state.device();
        return device == null ? null : device.domain();
    }

    @Override
    public final NativeQueuePair queuePair() {
        return state.queuePair();
    }

    @Override
    public final InetSocketAddress localAddress() {
        return state.localAddress();
    }

    @Override
    public final InetSocketAddress peerAddress() {
        return state.peerAddress();
    }

    @Override
    public final Duration timeout() {
        return state.options.timeout();
    }

    @Override
    public final void timeout(Duration timeout) {
        state.options.timeout(timeout);
    }

    @Override
    public final void option(ConnectionOption option, int value) {
        ConnectionOptions.check(option, value);
        LibraryOption row = LibraryOption.of(option);
        run("rdma_set_option", NativeIdStage.OPEN, "", id -> {
            if (row != null) {
                IdCalls.setOption(id, option, row, value);
            }
            state.options.set(option, value);
        });
    }

    @Override
    public final void bind(InetSocketAddress local) {
        run("rdma_bind_addr", NativeIdStage.UNBOUND, "an id is bound once", id -> state.bind(id, local));
    }

    @Override
    public void resolveAddress(InetSocketAddress local, InetSocketAddress peer, Duration timeout) {
        run("rdma_resolve_addr", NativeIdStage.RESOLVABLE, "an address is resolved once", id -> {
            if (local != null && state.stage() == NativeIdStage.IDLE) {
                state.bind(id, local);
            }
            state.resolveAddress(id, peer, timeout);
        });
    }

    @Override
    public void resolveRoute(Duration timeout) {
        run(
                "rdma_resolve_route",
                EnumSet.of(NativeIdStage.ADDRESS_RESOLVED),
                "resolve the address first",
                id -> state.resolveRoute(id, timeout));
    }

    @Override
    public final QueuePair createQueuePair(ProtectionDomain pd, QueuePairOptions wanted) {
        String verb = "rdma_create_qp";
        run(verb, NativeIdStage.OPEN, "", id -> {
            NativeSharedDevice device = state.requireDevice(verb);
            if (queuePair() != null) {
                throw new RdmaException(verb, Errno.EINVAL, "the id has one already");
            }
            requireFittingType(verb, wanted.type());
            ProtectionDomain domain = pd == null ? device.domain() : pd;
            if (domain.context() != device.context()) {
                throw new RdmaException(
                        verb,
                        Errno.EINVAL,
                        "the protection domain is not of the id's own " + device.context()
                                + "; use protectionDomain() or one of context()");
            }
            state.createQueuePair(id, domain, wanted);
        });
        return queuePair();
    }

    private void requireFittingType(String verb, QueuePairType type) {
        QueuePairType fitting = state.isDatagram() ? QueuePairType.UD : QueuePairType.RC;
        if (type != fitting) {
            throw new UnsupportedVerbException(
                    context().device().name(),
                    verb + " of type " + type + " in port space " + state.space,
                    PortSpaceRules.remedy(state.space));
        }
    }

    @Override
    public void connect(ConnectionParameters parameters) {
        run(
                "rdma_connect",
                EnumSet.of(NativeIdStage.ROUTE_RESOLVED),
                "resolve address and route first, connect once",
                id -> state.connect(id, parameters));
    }

    @Override
    public final void listen(int backlog) {
        ParameterRules.requireBacklog(backlog);
        run(
                "rdma_listen",
                NativeIdStage.LISTENABLE,
                "listen on an id that is bound, or new",
                id -> state.listen(id, backlog));
    }

    @Override
    public ConnectionId awaitRequest(Duration timeout) {
        throw new RdmaException("rdma_get_request", Errno.EINVAL, "requests of this id arrive on its event channel");
    }

    @Override
    public void accept(ConnectionParameters parameters) {
        run(
                "rdma_accept",
                EnumSet.of(NativeIdStage.REQUESTED),
                "accept the id of a connection request, once",
                id -> state.accept(id, parameters));
    }

    @Override
    public final void reject(byte[] privateData) {
        run(
                "rdma_reject",
                EnumSet.of(NativeIdStage.REQUESTED),
                "reject the id of a connection request, once",
                id -> state.reject(id, ParameterRules.reject(privateData, state.isDatagram())));
    }

    @Override
    public void disconnect() {
        NativeEventChannel held = state.lock();
        try {
            if (state.isDatagram()) {
                throw new RdmaException(
                        "rdma_disconnect", Errno.EINVAL, "datagrams have no connection; close the id when it is done");
            }
            requireStage(
                    "rdma_disconnect",
                    NativeIdStage.DISCONNECTABLE,
                    "not connected; to give up an attempt close the id");
            state.disconnect();
        } finally {
            held.unlock();
        }
    }

    @Override
    public CmEvent event() {
        return null;
    }

    @Override
    public void migrate(EventChannel target) {
        if (!(target instanceof NativeEventChannel ours)) {
            throw new RdmaException(
                    "rdma_migrate_id", Errno.EINVAL, "the channel is not of this connection manager, or there is none");
        }
        state.migrate(ours);
    }

    @Override
    public final QueuePairChange queuePairStep(QueuePairState to) {
        QueuePairChange[] step = {null};
        run("rdma_init_qp_attr", NativeIdStage.OPEN, "", id -> {
            state.requireDevice("rdma_init_qp_attr");
            step[0] = QueuePairSteps.complete(id, to, state.timing());
        });
        return step[0];
    }

    @Override
    public final void establish() {
        run(
                "rdma_establish",
                EnumSet.of(NativeIdStage.CONNECTING),
                "only after CONNECT_RESPONSE, and for a queue pair made without the id",
                state::establish);
    }

    @Override
    public final void notifyEstablished() {
        run(
                "rdma_notify",
                EnumSet.of(NativeIdStage.ACCEPTED, NativeIdStage.CONNECTED),
                "accept the request first",
                id -> IdCalls.check(
                        "rdma_notify", Rdmacm.notifyOf(id, AsyncEventType.COMMUNICATION_ESTABLISHED.code())));
    }

    @Override
    public void joinMulticast(InetSocketAddress group, boolean sendOnly) {
        run("rdma_join_multicast", NativeIdStage.OPEN, "", id -> {
            state.requireDevice("rdma_join_multicast");
            long number = state.groups.add(group, sendOnly);
            try {
                IdCalls.joinMulticast(id, group, sendOnly, number);
            } catch (RuntimeException e) {
                state.groups.forget(number);
                throw e;
            }
        });
    }

    @Override
    public final void leaveMulticast(InetSocketAddress group) {
        run("rdma_leave_multicast", NativeIdStage.OPEN, "", id -> {
            if (!state.groups.remove(group, queuePair())) {
                throw new RdmaException("rdma_leave_multicast", Errno.EADDRNOTAVAIL, "the id did not join " + group);
            }
            IdCalls.leaveMulticast(id, group);
        });
    }

    @Override
    public void close() {
        state.close();
    }

    final void requireListening() {
        requireStage("rdma_get_request", EnumSet.of(NativeIdStage.LISTENING), "requests come to an id that listens");
    }

    /// How long a connection attempt may take.
    final long timeoutNs() {
        return Waits.nanoseconds(timeout());
    }

    /// Something that is done with the address of the `rdma_cm_id`.
    interface Body {
        void run(long id);
    }

    private void run(String verb, Set<NativeIdStage> allowed, String remedy, Body body) {
        NativeEventChannel held = state.lock();
        try {
            requireStage(verb, allowed, remedy);
            long id = state.address();
            if (id == 0) {
                throw new RdmaException(verb, Errno.EINVAL, "the connection is over; close the id");
            }
            body.run(id);
        } finally {
            held.unlock();
        }
    }

    private void requireStage(String verb, Set<NativeIdStage> allowed, String remedy) {
        NativeIdStage stage = state.stage();
        if (stage == NativeIdStage.CLOSED) {
            throw new RdmaException(verb, Errno.EBADF, "the id is closed");
        }
        if (!allowed.contains(stage)) {
            throw new RdmaException(verb, Errno.EINVAL, "the id is " + stage + "; " + remedy);
        }
    }

    @Override
    public String toString() {
        return "id[" + localAddress() + " -> " + peerAddress() + ", " + state.stage() + "]";
    }
}
