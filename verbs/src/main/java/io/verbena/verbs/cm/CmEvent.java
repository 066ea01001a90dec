package io.verbena.verbs.cm;

/// One event of the connection manager. Counterpart of `struct rdma_cm_event`; acknowledged when taken.
///
/// - `id`: whom it concerns; for CONNECT_REQUEST the new id, with `listener` the listening one (else null).
/// - `status`: 0, a negative errno, or for REJECTED the reason (28 = by the program, 8 = nobody listens).
/// - `parameters`: the peer's, seen from here (its initiator depth is our responder resources); never null.
///   Private data arrives zero-padded to full length, because its length does not travel (rule CM-1).
/// - `datagram`: for UD ESTABLISHED, else null.
public record CmEvent(
        CmEventType type,
        ConnectionId id,
        ConnectionId listener,
        int status,
        ConnectionParameters parameters,
        DatagramPeer datagram) {

    public static CmEvent of(CmEventType type, ConnectionId id, int status) {
        return new CmEvent(type, id, null, status, ConnectionParameters.DEFAULT, null);
    }

    public byte[] privateData() {
        return parameters.privateData();
    }
}
