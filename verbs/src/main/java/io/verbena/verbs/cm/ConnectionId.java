package io.verbena.verbs.cm;

import io.verbena.verbs.Context;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.UnsupportedVerbException;
import io.verbena.verbs.attr.QueuePairState;
import java.net.InetSocketAddress;
import java.time.Duration;

/// One end of a connection, or a listener: what a socket is to TCP. Counterpart of `struct rdma_cm_id`.
///
/// Asynchronous ids report the outcome of a call as an event; synchronous ones wait for it, at most [#timeout], and
/// throw an [io.verbena.verbs.RdmaException] (ECONNREFUSED when rejected, ETIMEDOUT when nobody answered) when it
/// fails.
public interface ConnectionId extends AutoCloseable {
    /// The service that its port number belongs to.
    PortSpace portSpace();

    /// The channel of an asynchronous id; null for a synchronous one.
    EventChannel channel();

    /// The caller's own object; ids from CONNECT_REQUEST inherit the listener's (rule CM-17).
    Object attachment();

    /// Sets the caller's own object.
    void attachment(Object attachment);

    /// The device in use, or null before the address is bound or resolved. It belongs to the id: do not close it.
    Context context();

    /// The port of [#context] in use, from 1; 0 before there is one. Counterpart of `port_num`.
    default int port() {
        return context() == null ? 0 : 1;
    }

    /// A protection domain that comes with [#context], for programs that need only one. It belongs to the id.
    ProtectionDomain protectionDomain();

    /// The queue pair made by [#createQueuePair], or null.
    QueuePair queuePair();

    /// The address and port of this side; null before bind or resolve. Counterpart of `rdma_get_local_addr` and
    /// `rdma_get_src_port`.
    InetSocketAddress localAddress();

    /// The address and port of the peer; null before resolve or request. Counterpart of `rdma_get_peer_addr` and
    /// `rdma_get_dst_port`.
    InetSocketAddress peerAddress();

    /// How long connect, accept and disconnect may take, each; 5 seconds unless set here or, for the whole
    /// process, by the system property `verbena.connection.timeout`.
    Duration timeout();

    /// Changes how long connect, accept and disconnect may take. To be set before them; at most a day.
    void timeout(Duration timeout);

    /// Sets an option. Counterpart of `rdma_set_option`.
    void option(ConnectionOption option, int value);

    /// Takes a local address and port; port 0 picks one, the any-address takes all devices. Counterpart of
    /// `rdma_bind_addr`.
    void bind(InetSocketAddress local);

    /// Finds the local device for `peer`; `local` may be null. Then ADDRESS_RESOLVED or ADDRESS_ERROR. Counterpart
    /// of `rdma_resolve_addr`.
    void resolveAddress(InetSocketAddress local, InetSocketAddress peer, Duration timeout);

    /// Finds the route to the resolved address. Then ROUTE_RESOLVED or ROUTE_ERROR. Counterpart of
    /// `rdma_resolve_route`.
    void resolveRoute(Duration timeout);

    /// Makes the id's queue pair and brings it to INIT, so that receives can be posted before connecting. A datagram
    /// queue pair is brought to RTS, because it has no connection to wait for. A null domain is [#protectionDomain];
    /// completion queues that the options leave out are made, and closed when the id is. Counterpart of
    /// `rdma_create_qp`.
    QueuePair createQueuePair(ProtectionDomain pd, QueuePairOptions options);

    /// As above, in the domain that comes with the id.
    ///
    /// ```java
    /// QueuePair qp = id.createQueuePair(QueuePairOptions.rc());
    /// ```
    default QueuePair createQueuePair(QueuePairOptions options) {
        return createQueuePair(null, options);
    }

    /// Connects to the resolved peer. Counterpart of `rdma_connect`; then ESTABLISHED, REJECTED, UNREACHABLE or
    /// CONNECT_ERROR, at the latest after [#timeout].
    void connect(ConnectionParameters parameters);

    /// Takes connection requests from now on; `backlog` of them may wait to be taken, 0 for the most the device has. A
    /// negative number is refused. Counterpart of `rdma_listen`.
    void listen(int backlog);

    /// The next connection request on a synchronous listener; null when the time is over. Its event is in [#event].
    /// Counterpart of `rdma_get_request`.
    ConnectionId awaitRequest(Duration timeout);

    /// Accepts the connection request that this id came with. Counterpart of `rdma_accept`; then ESTABLISHED. With
    /// datagrams it tells the client the number and the key of this id's queue pair, and no event follows here.
    void accept(ConnectionParameters parameters);

    /// Rejects the connection request that this id came with. Counterpart of `rdma_reject`; at most 148 bytes, with
    /// datagrams 136. The client of a datagram service then sees UNREACHABLE.
    void reject(byte[] privateData);

    /// Ends the connection. Counterpart of `rdma_disconnect`: the queue pair goes to the error state, both sides get
    /// DISCONNECTED. No error when the peer disconnected first. Waits at most [#timeout] for the peer to confirm.
    /// Datagrams have no connection: EINVAL.
    void disconnect();

    /// The last event of a synchronous id, e.g. for the private data of the peer; null before the first. Also takes the
    /// events that arrived since the last call, so a server sees here that its peer disconnected. TIMEWAIT_EXIT is not
    /// shown.
    CmEvent event();

    /// Moves the id and its pending events to another channel. Counterpart of `rdma_migrate_id`.
    default void migrate(EventChannel channel) {
        throw new UnsupportedVerbException(device(), "rdma_migrate_id");
    }

    /// The attributes a queue pair made without this id needs for a step. Counterpart of `rdma_init_qp_attr`.
    default QueuePairChange queuePairStep(QueuePairState to) {
        throw new UnsupportedVerbException(device(), "rdma_init_qp_attr");
    }

    /// Completes an active connection whose queue pair the program moved itself. Counterpart of `rdma_establish`.
    default void establish() {
        throw new UnsupportedVerbException(device(), "rdma_establish");
    }

    /// Tells the connection manager that the queue pair had the event COMMUNICATION_ESTABLISHED. Counterpart of
    /// `rdma_notify`.
    default void notifyEstablished() {
        throw new UnsupportedVerbException(device(), "rdma_notify");
    }

    /// Joins a multicast group to send and receive. Then MULTICAST_JOIN or MULTICAST_ERROR. Only the former, with
    /// [CmEvent#datagram], tells the address, the queue pair number and the key to send to. Counterpart of
    /// `rdma_join_multicast`.
    default void joinMulticast(InetSocketAddress group) {
        joinMulticast(group, false);
    }

    /// Joins a multicast group to send only, or to send and receive. Counterpart of `rdma_join_multicast_ex` with
    /// `RDMA_MC_JOIN_FLAG_SENDONLY_FULLMEMBER` or `RDMA_MC_JOIN_FLAG_FULLMEMBER`.
    default void joinMulticast(InetSocketAddress group, boolean sendOnly) {
        throw new UnsupportedVerbException(device(), "rdma_join_multicast");
    }

    /// Leaves a multicast group. Counterpart of `rdma_leave_multicast`.
    default void leaveMulticast(InetSocketAddress group) {
        throw new UnsupportedVerbException(device(), "rdma_leave_multicast");
    }

    private String device() {
        return context() == null ? "not yet chosen" : context().device().name();
    }

    /// Closes the id, its queue pair, and the completion queues that it made for it. Tells the peer if there is a
    /// connection or a request. Closing twice is fine. Counterpart of `rdma_destroy_id`, preceded by `rdma_destroy_qp`.
    @Override
    void close();
}
