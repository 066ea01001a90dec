package io.verbena.verbs.cm;

import java.util.HexFormat;

/// The parameters of connect and accept, which the peer receives. Counterpart of `struct rdma_conn_param`.
///
/// - `responderResources`: READs and atomics this side serves at a time; `initiatorDepth`: how many it issues.
///   [#DEVICE_MAXIMUM] means as many as the device can.
/// - `retryCount`: how often both sides retransmit without an answer; the connecting side chooses it.
/// - `rnrRetryCount`: how often the *peer* tries again when this side has no receive posted; 7 = for ever. Both
///   are 0 to 7, larger values count as 7.
/// - `privateData`: bytes for the peer's event; at most 56 for connect, 196 for accept; with datagram services
///   180 and 136 (rule CM-1).
/// - `qpNumber`: of a queue pair made without the connection id; 0 otherwise.
/// - `srq`: whether that queue pair receives from a shared receive queue; ignored when the id has its own.
public record ConnectionParameters(
        byte[] privateData,
        int responderResources,
        int initiatorDepth,
        boolean flowControl,
        int retryCount,
        int rnrRetryCount,
        int qpNumber,
        boolean srq) {

    public static final int DEVICE_MAXIMUM = 0xFF;

    /// Seven retries, RNR for ever, the device's maximum of READs, no private data.
    public static final ConnectionParameters DEFAULT =
            new ConnectionParameters(new byte[0], DEVICE_MAXIMUM, DEVICE_MAXIMUM, false, 7, 7, 0);

    /// Without a shared receive queue.
    public ConnectionParameters(
            byte[] privateData,
            int responderResources,
            int initiatorDepth,
            boolean flowControl,
            int retryCount,
            int rnrRetryCount,
            int qpNumber) {
        this(privateData, responderResources, initiatorDepth, flowControl, retryCount, rnrRetryCount, qpNumber, false);
    }

    /// Copies the private data; null means none.
    public ConnectionParameters {
        privateData = privateData == null ? new byte[0] : privateData.clone();
    }

    /// A copy of the bytes for the peer.
    @Override
    public byte[] privateData() {
        return privateData.clone();
    }

    /// The same with other bytes for the peer.
    public ConnectionParameters withPrivateData(byte[] data) {
        return new ConnectionParameters(
                data, responderResources, initiatorDepth, flowControl, retryCount, rnrRetryCount, qpNumber, srq);
    }

    /// The same with other numbers of READs and atomics, served and issued.
    public ConnectionParameters withReads(int responderResources, int initiatorDepth) {
        return new ConnectionParameters(
                privateData, responderResources, initiatorDepth, flowControl, retryCount, rnrRetryCount, qpNumber, srq);
    }

    /// The same with other numbers of retries.
    public ConnectionParameters withRetries(int retryCount, int rnrRetryCount) {
        return new ConnectionParameters(
                privateData, responderResources, initiatorDepth, flowControl, retryCount, rnrRetryCount, qpNumber, srq);
    }

    /// The same for a queue pair that was made without the connection id.
    public ConnectionParameters withQpNumber(int qpNumber) {
        return withQpNumber(qpNumber, srq);
    }

    /// The same for a queue pair that was made without the connection id, with a shared receive queue or without one.
    public ConnectionParameters withQpNumber(int qpNumber, boolean srq) {
        return new ConnectionParameters(
                privateData, responderResources, initiatorDepth, flowControl, retryCount, rnrRetryCount, qpNumber, srq);
    }

    /// Private data as hex digits, without the zeros it was filled up with.
    @Override
    public String toString() {
        int length = privateData.length;
        while (length > 0 && privateData[length - 1] == 0) {
            length--;
        }
        return "ConnectionParameters[responderResources=%d, initiatorDepth=%d, retryCount=%d, rnrRetryCount=%d, privateData=%s]"
                .formatted(
                        responderResources,
                        initiatorDepth,
                        retryCount,
                        rnrRetryCount,
                        HexFormat.of().formatHex(privateData, 0, length));
    }
}
