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
    PortSpace portSpace();

    /// The channel of an asynchronous id; null for a synchronous one.
    EventChannel channel();

    /// The caller's own object; ids from CONNECT_REQUEST inherit the listener's (rule CM-17).
    Object attachment();

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

    /// Counterpart of `rdma_get_local_addr` and `rdma_get_src_port`; null before bind or resolve.
    InetSocketAddress localAddress();

    /// Counterpart of `rdma_get_peer_addr` and `rdma_get_dst_port`; null before resolve or request.
    InetSocketAddress peerAddress();

    /// How long connect, accept and disconnect may take, each; 5 seconds unless set here or, for the whole
    /// process, by the system property `verbena.connection.timeout`.
    Duration timeout();

    /// Set before connect, accept or disconnect; at most a day.
    void timeout(Duration timeout);

    /// Counterpart of `rdma_set_option`.
    void option(ConnectionOption option, int value);

    /// Counterpart of `rdma_bind_addr`; port 0 picks one, the any-address takes all devices.
    void bind(InetSocketAddress local);

    /// Finds the local device for `peer`; `local` may be null. Then ADDRESS_RESOLVED or ADDRESS_ERROR. Counterpart
    /// of `rdma_resolve_addr`.
    void resolveAddress(InetSocketAddress local, InetSocketAddress peer, Duration timeout);

    /// Then ROUTE_RESOLVED or ROUTE_ERROR. Counterpart of `rdma_resolve_route`.
    void resolveRoute(Duration timeout);

    /// Makes the id's queue pair and brings it to INIT, so that receives can be posted before connecting. One
    /// for datagrams is brought to RTS: it has no connection to wait for. Counterpart of `rdma_create_qp`.
    QueuePair createQueuePair(ProtectionDomain pd, QueuePairOptions options);

    /// Counterpart of `rdma_connect`; then ESTABLISHED, REJECTED, UNREACHABLE or CONNECT_ERROR, at the latest after
    /// [#timeout].
    void connect(ConnectionParameters parameters);

    /// Counterpart of `rdma_listen`; `backlog` requests may wait to be taken, 0 or less for the most.
    void listen(int backlog);

    /// The next connection request on a synchronous listener; null when the time is over. Its event is in [#event].
    /// Counterpart of `rdma_get_request`.
    ConnectionId awaitRequest(Duration timeout);

    /// Counterpart of `rdma_accept`; then ESTABLISHED. With datagrams it tells the client the number and the
    /// key of this id's queue pair, and no event follows here.
    void accept(ConnectionParameters parameters);

    /// Counterpart of `rdma_reject`; at most 148 bytes, with datagrams 136. The client of a datagram service
    /// then sees UNREACHABLE.
    void reject(byte[] privateData);

    /// Counterpart of `rdma_disconnect`: the queue pair goes to the error state, both sides get DISCONNECTED.
    /// Fine when the peer was first. A peer that does not confirm is waited for [#timeout] long. Datagrams have
    /// no connection: EINVAL.
    void disconnect();

    /// The last event of a synchronous id, e.g. for the private data of the peer; null before the first. What came
    /// in since the last call is looked at too, so a server sees here when its peer disconnected, however late it
    /// looks: TIMEWAIT_EXIT is not shown.
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

    /// Tells the connection manager of COMMUNICATION_ESTABLISHED. Counterpart of `rdma_notify`.
    default void notifyEstablished() {
        throw new UnsupportedVerbException(device(), "rdma_notify");
    }

    /// Joins to send and receive. Then MULTICAST_JOIN or MULTICAST_ERROR. Only the former, with
    /// [CmEvent#datagram], tells the address, the queue pair number and the key to send to. Counterpart of
    /// `rdma_join_multicast`.
    default void joinMulticast(InetSocketAddress group) {
        joinMulticast(group, false);
    }

    /// Joins to send only, or to send and receive. Counterpart of `rdma_join_multicast_ex` with
    /// `RDMA_MC_JOIN_FLAG_SENDONLY_FULLMEMBER` or `RDMA_MC_JOIN_FLAG_FULLMEMBER`.
    default void joinMulticast(InetSocketAddress group, boolean sendOnly) {
        throw new UnsupportedVerbException(device(), "rdma_join_multicast");
    }

    /// Counterpart of `rdma_leave_multicast`.
    default void leaveMulticast(InetSocketAddress group) {
        throw new UnsupportedVerbException(device(), "rdma_leave_multicast");
    }

    private String device() {
        return context() == null ? "not yet chosen" : context().device().name();
    }

    /// Counterpart of `rdma_destroy_id` (and `rdma_destroy_qp`: the id's queue pair goes with it). Tells the peer
    /// as the state needs. Closing twice is fine.
    @Override
    void close();
}
