package io.verbena.verbs.cm;

import io.verbena.verbs.spi.PeerText;
import java.net.InetSocketAddress;

/// One event of the connection manager. Counterpart of `struct rdma_cm_event`; acknowledged when taken.
///
/// - `id`: the id that the event is for; for CONNECT_REQUEST the new id, with `listener` the listening one (else null).
/// - `status`: 0, a negative errno, or for REJECTED the reason (28 = by the program, 8 = nobody listens).
/// - `parameters`: the peer's, seen from here (its initiator depth is our responder resources); never null.
///   Private data arrives zero-padded to full length, because its length does not travel (rule CM-1).
/// - `datagram`: how to reach the service or the group, for ESTABLISHED of a UD client and for MULTICAST_JOIN;
///   else null.
/// - `explanation`: for failures, the likely cause and the remedy; else empty.
public record CmEvent(
        CmEventType type,
        ConnectionId id,
        ConnectionId listener,
        int status,
        ConnectionParameters parameters,
        DatagramPeer datagram,
        String explanation) {

    /// An event without an explanation.
    public CmEvent(
            CmEventType type,
            ConnectionId id,
            ConnectionId listener,
            int status,
            ConnectionParameters parameters,
            DatagramPeer datagram) {
        this(type, id, listener, status, parameters, datagram, "");
    }

    /// An event about one id, with nothing from the peer.
    public static CmEvent of(CmEventType type, ConnectionId id, int status) {
        return new CmEvent(type, id, null, status, ConnectionParameters.DEFAULT, null);
    }

    /// The event in a sentence: type, status when there is one, and for a failure the peer and the explanation.
    public String explain() {
        String text = type + (status == 0 ? "" : ", status " + status);
        return explanation.isEmpty() ? text : text + peer() + ": " + explanation;
    }

    private String peer() {
        InetSocketAddress peer = id == null ? null : id.peerAddress();
        return peer == null ? "" : ", peer " + PeerText.of(peer);
    }

    /// The private data that came from the peer.
    public byte[] privateData() {
        return parameters.privateData();
    }
}
