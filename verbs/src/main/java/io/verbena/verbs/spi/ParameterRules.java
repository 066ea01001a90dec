package io.verbena.verbs.spi;

import io.verbena.verbs.Errno;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.DeviceAttributes;
import io.verbena.verbs.cm.ConnectionParameters;

/// The limits of parameters of connect, accept and reject (rules CM-1, CM-4 and CM-5). Also checked before librdmacm is
/// called, which copies private data of any length into a fixed struct.
public final class ParameterRules {
    private static final int REJECT_BYTES = 148;
    private static final int LARGEST_QP = 0xFF_FFFE;

    private static final int MOST_RETRIES = 7;
    /// The largest value of a device's maximum, which travels in one byte.
    private static final int BYTE = 0xFF;

    private static final int CONNECT_BYTES = 56;
    private static final int ACCEPT_BYTES = 196;
    private static final int DATAGRAM_CONNECT_BYTES = 180;
    private static final int DATAGRAM_ACCEPT_BYTES = 136;

    private ParameterRules() {}

    /// Librdmacm takes a negative backlog as the largest. A program whose calculation gave one did not mean that.
    public static void requireBacklog(int backlog) {
        if (backlog < 0) {
            throw new RdmaException(
                    "rdma_listen",
                    Errno.EINVAL,
                    "the backlog is " + backlog + "; give 1 or more, or 0 for the maximum");
        }
    }

    /// The parameters for librdmacm, with every number filled in.
    public static ConnectionParameters connect(
            ConnectionParameters given, QueuePair qp, boolean srq, boolean datagrams, DeviceAttributes device) {
        ConnectionParameters wanted = given == null ? ConnectionParameters.DEFAULT : given;
        int responder = device.maxReadAtomicAsResponder() & BYTE;
        int initiator = device.maxReadAtomicAsInitiator() & BYTE;
        return settings(
                new Limits("rdma_connect", datagrams ? DATAGRAM_CONNECT_BYTES : CONNECT_BYTES, responder, initiator),
                wanted,
                responder,
                initiator,
                qp,
                srq);
    }

    /// As [#connect]; the device's maximum means no more than the peer asked for.
    public static ConnectionParameters accept(
            ConnectionParameters given,
            ConnectionParameters asked,
            QueuePair qp,
            boolean srq,
            boolean datagrams,
            DeviceAttributes device) {
        ConnectionParameters wanted = given == null ? ConnectionParameters.DEFAULT : given;
        int responder = device.maxReadAtomicAsResponder() & BYTE;
        int initiator = device.maxReadAtomicAsInitiator() & BYTE;
        return settings(
                new Limits("rdma_accept", datagrams ? DATAGRAM_ACCEPT_BYTES : ACCEPT_BYTES, responder, initiator),
                wanted,
                Math.min(asked.responderResources(), responder),
                Math.min(asked.initiatorDepth(), initiator),
                qp,
                srq);
    }

    /// The bytes that a rejection carries. Throws EINVAL when there are more than fit.
    public static byte[] reject(byte[] data, boolean datagrams) {
        byte[] some = data == null ? new byte[0] : data.clone();
        requireRoom("rdma_reject", some, datagrams ? DATAGRAM_ACCEPT_BYTES : REJECT_BYTES);
        return some;
    }

    private record Limits(String verb, int room, int responder, int initiator) {}

    private static ConnectionParameters settings(
            Limits limits, ConnectionParameters wanted, int responder, int initiator, QueuePair qp, boolean srq) {
        byte[] data = wanted.privateData();
        requireRoom(limits.verb, data, limits.room);
        if (qp == null && wanted.qpNumber() == 0) {
            throw new RdmaException(
                    limits.verb,
                    Errno.EINVAL,
                    "the id has no queue pair; call createQueuePair first, or name one with withQpNumber");
        }
        int number = qp == null ? wanted.qpNumber() : qp.number();
        if (number < 0 || number > LARGEST_QP) {
            throw new RdmaException(
                    limits.verb, Errno.EINVAL, "queue pair number " + number + "; the largest is " + LARGEST_QP);
        }
        return new ConnectionParameters(
                data,
                reads(limits.verb, "responderResources", wanted.responderResources(), limits.responder, responder),
                reads(limits.verb, "initiatorDepth", wanted.initiatorDepth(), limits.initiator, initiator),
                wanted.flowControl(),
                retries(wanted.retryCount()),
                retries(wanted.rnrRetryCount()),
                number,
                qp == null ? wanted.srq() : srq);
    }

    private static int reads(String verb, String name, int wanted, int most, int whenMaximum) {
        if (wanted == ConnectionParameters.DEVICE_MAXIMUM) {
            return whenMaximum;
        }
        if (wanted < 0 || wanted > most) {
            throw new RdmaException(
                    verb,
                    Errno.EINVAL,
                    name + " is " + wanted + "; the device takes 0 to " + most + ", or DEVICE_MAXIMUM");
        }
        return wanted;
    }

    private static int retries(int wanted) {
        return wanted < 0 ? MOST_RETRIES : Math.min(wanted, MOST_RETRIES);
    }

    private static void requireRoom(String verb, byte[] data, int room) {
        if (data.length > room) {
            throw new RdmaException(
                    verb, Errno.EINVAL, data.length + " bytes of private data; there is room for " + room);
        }
    }
}
