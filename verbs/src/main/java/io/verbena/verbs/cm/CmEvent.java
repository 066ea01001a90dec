package io.verbena.verbs.cm;

/// One event of the connection manager. Counterpart of `struct rdma_cm_event`; acknowledged when taken.
///
/// - `id`: whom it concerns; for CONNECT_REQUEST the new id, with `listener` the listening one (else null).
/// - `status`: 0, a negative errno, or for REJECTED the reason (28 = by the program, 8 = nobody listens).
/// - `parameters`: the peer's, seen from here (its initiator depth is our responder resources); never null.
///   Private data arrives zero-padded to full length, because its length does not travel (rule CM-1).
/// - `datagram`: how to reach the service or the group, for ESTABLISHED of a UD client and for MULTICAST_JOIN;
///   else null.
/// - `explanation`: for events that tell of a failure, what lies behind it and what to do; else empty.
public record CmEvent(
        CmEventType type,
        ConnectionId id,
        ConnectionId listener,
        int status,
        ConnectionParameters parameters,
        DatagramPeer datagram,
        String explanation) {

    public CmEvent(
            CmEventType type,
            ConnectionId id,
            ConnectionId listener,
            int status,
            ConnectionParameters parameters,
            DatagramPeer datagram) {
        this(type, id, listener, status, parameters, datagram, "");
    }

    public static CmEvent of(CmEventType type, ConnectionId id, int status) {
        return new CmEvent(type, id, null, status, ConnectionParameters.DEFAULT, null);
    }

    /// The event in a sentence: type, status when there is one, explanation when there is one.
    public String explain() {
        return type + (status == 0 ? "" : ", status " + status) + (explanation.isEmpty() ? "" : ": " + explanation);
    }

    public byte[] privateData() {
        return parameters.privateData();
    }
}
