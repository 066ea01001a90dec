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
import io.verbena.verbs.attr.AsyncEventType;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.cm.ConnectionOption;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import io.verbena.verbs.spi.ConnectionIdBase;
import io.verbena.verbs.spi.ConnectionOptions;
import io.verbena.verbs.spi.ParameterRules;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/// An id: what programs call. The synchronous ids of librdmacm wait without a deadline and cannot be woken, so those
/// here wait themselves. Each call holds the lock of the id's channel.
final class NativeConnectionId extends ConnectionIdBase {
    final IdState state;

    /// @param isSynchronous whether its calls wait for their outcome, on that channel, which is its own
    NativeConnectionId(
            NativeConnectionManager manager,
            NativeEventChannel channel,
            PortSpace space,
            ConnectionOptions options,
            boolean isSynchronous) {
        super(space, options, isSynchronous ? channel : null);
        this.state = new IdState(this, manager, channel);
    }

    /// An id for a request to this one, with a channel as it needs one.
    NativeConnectionId newSibling() {
        NativeEventChannel its = isSynchronous() ? NativeEventChannel.open() : state.channel();
        return new NativeConnectionId(state.manager, its, portSpace(), options().copy(), isSynchronous());
    }

    @Override
    protected EventChannel currentChannel() {
        return state.channel();
    }

    @Override
    protected NativeIdStage stage() {
        return state.stage();
    }

    @Override
    protected boolean isClosed() {
        return state.stage() == NativeIdStage.CLOSED;
    }

    @Override
    protected long nowNs() {
        return CmClock.nowNs();
    }

    /// Null for a listener on all devices, too.
    @Override
    public NativeContext context() {
        NativeSharedDevice device = state.device();
        return device == null ? null : device.context();
    }

    @Override
    public int port() {
        return state.port();
    }

    @Override
    public ProtectionDomain protectionDomain() {
        NativeSharedDevice device = state.device();
        return device == null ? null : device.domain();
    }

    @Override
    public NativeQueuePair queuePair() {
        return state.queuePair();
    }

    @Override
    public InetSocketAddress localAddress() {
        return state.localAddress();
    }

    @Override
    public InetSocketAddress peerAddress() {
        return state.peerAddress();
    }

    @Override
    public void option(ConnectionOption option, int value) {
        ConnectionOptions.check(option, value);
        LibraryOption row = LibraryOption.of(option);
        run("rdma_set_option", NativeIdStage.OPEN, "", id -> {
            if (row != null) {
                IdCalls.setOption(id, option, row, value);
            }
            options().set(option, value);
        });
    }

    @Override
    public void bind(InetSocketAddress local) {
        run("rdma_bind_addr", NativeIdStage.UNBOUND, "an id is bound once", id -> state.bind(id, local));
    }

    @Override
    protected void startResolvingAddress(InetSocketAddress local, InetSocketAddress peer, Duration timeout) {
        run("rdma_resolve_addr", NativeIdStage.RESOLVABLE, "an address is resolved once", id -> {
            if (local != null && state.stage() == NativeIdStage.IDLE) {
                state.bind(id, local);
            }
            state.resolveAddress(id, peer, timeout);
        });
    }

    @Override
    protected void startResolvingRoute(Duration timeout) {
        run(
                "rdma_resolve_route",
                EnumSet.of(NativeIdStage.ADDRESS_RESOLVED),
                "resolve the address first",
                id -> state.resolveRoute(id, timeout));
    }

    @Override
    public QueuePair createQueuePair(ProtectionDomain pd, QueuePairOptions wanted) {
        String verb = "rdma_create_qp";
        run(verb, NativeIdStage.OPEN, "", id -> {
            NativeSharedDevice device = state.requireDevice(verb);
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

    @Override
    protected void startConnecting(ConnectionParameters parameters) {
        run(
                "rdma_connect",
                EnumSet.of(NativeIdStage.ROUTE_RESOLVED),
                "resolve address and route first, connect once",
                id -> state.connect(id, parameters));
    }

    @Override
    public void listen(int backlog) {
        ParameterRules.requireBacklog(backlog);
        run(
                "rdma_listen",
                NativeIdStage.LISTENABLE,
                "listen on an id that is bound, or new",
                id -> state.listen(id, backlog));
    }

    @Override
    protected void startAccepting(ConnectionParameters parameters) {
        run(
                "rdma_accept",
                EnumSet.of(NativeIdStage.REQUESTED),
                "accept the id of a connection request, once",
                id -> state.accept(id, parameters));
    }

    @Override
    public void reject(byte[] privateData) {
        run(
                "rdma_reject",
                EnumSet.of(NativeIdStage.REQUESTED),
                "reject the id of a connection request, once",
                id -> state.reject(id, ParameterRules.reject(privateData, isDatagram())));
    }

    @Override
    protected void startDisconnecting() {
        NativeEventChannel held = state.lock();
        try {
            if (isDatagram()) {
                throw new RdmaException(
                        "rdma_disconnect", Errno.EINVAL, "datagrams have no connection; close the id when it is done");
            }
            require(
                    "rdma_disconnect",
                    NativeIdStage.DISCONNECTABLE,
                    "not connected; to give up an attempt close the id");
            state.disconnect();
        } finally {
            held.unlock();
        }
    }

    @Override
    protected void moveTo(EventChannel target) {
        if (!(target instanceof NativeEventChannel ours)) {
            throw new RdmaException(
                    "rdma_migrate_id", Errno.EINVAL, "the channel is not of this connection manager, or there is none");
        }
        state.migrate(ours);
    }

    @Override
    public QueuePairChange queuePairStep(QueuePairState to) {
        QueuePairChange[] step = {null};
        run("rdma_init_qp_attr", NativeIdStage.OPEN, "", id -> {
            state.requireDevice("rdma_init_qp_attr");
            step[0] = QueuePairSteps.complete(id, to, state.timing());
        });
        return step[0];
    }

    @Override
    public void establish() {
        run(
                "rdma_establish",
                EnumSet.of(NativeIdStage.CONNECTING),
                "only after CONNECT_RESPONSE, and for a queue pair made without the id",
                state::establish);
    }

    @Override
    public void notifyEstablished() {
        run(
                "rdma_notify",
                EnumSet.of(NativeIdStage.ACCEPTED, NativeIdStage.CONNECTED),
                "accept the request first",
                id -> IdCalls.check(
                        "rdma_notify", Rdmacm.LIB.notifyOf(id, AsyncEventType.COMMUNICATION_ESTABLISHED.code())));
    }

    @Override
    protected void startJoining(InetSocketAddress group, boolean sendOnly) {
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
    public void leaveMulticast(InetSocketAddress group) {
        run("rdma_leave_multicast", NativeIdStage.OPEN, "", id -> {
            if (!state.groups.remove(group, queuePair())) {
                throw new RdmaException("rdma_leave_multicast", Errno.EADDRNOTAVAIL, "the id did not join " + group);
            }
            IdCalls.leaveMulticast(id, group);
        });
    }

    @Override
    protected void end() {
        state.close();
    }

    @Override
    protected void requireListening() {
        require("rdma_get_request", EnumSet.of(NativeIdStage.LISTENING), "requests come to an id that listens");
    }

    /// How long a connection attempt may take.
    long timeoutNs() {
        return Waits.nanoseconds(timeout());
    }

    /// Something that is done with the address of the `rdma_cm_id`.
    interface Body {
        void run(long id);
    }

    private void run(String verb, Set<NativeIdStage> allowed, String remedy, Body body) {
        NativeEventChannel held = state.lock();
        try {
            require(verb, allowed, remedy);
            long id = state.address();
            if (id == 0) {
                throw new RdmaException(verb, Errno.EINVAL, "the connection is over; close the id");
            }
            body.run(id);
        } finally {
            held.unlock();
        }
    }
}
