package io.verbena.soft.cm;

import io.verbena.roce.mad.CmRej;
import io.verbena.roce.mad.CmRep;
import io.verbena.roce.mad.CmReq;
import io.verbena.roce.mad.CmaHeader;
import io.verbena.soft.Waiter;
import io.verbena.verbs.Errno;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.ConnectionParameters;

/// What programs may ask for when they connect, accept or reject (rules CM-1, CM-4 and CM-5).
final class ParameterRules {
    private static final int MOST_RETRIES = 7;
    private static final int FIRST_QP = 2;
    private static final int LAST_QP = 0xFF_FFFE;
    private static final int CONNECT_BYTES = CmReq.PRIVATE_DATA_BYTES - CmaHeader.BYTES;

    private ParameterRules() {}

    static LocalSettings connect(ConnectionParameters wanted, IdQueuePair qp, PortFacts facts, IdOptions options) {
        return settings("rdma_connect", CONNECT_BYTES, wanted, qp, facts, options);
    }

    static LocalSettings accept(ConnectionParameters wanted, IdQueuePair qp, PortFacts facts, IdOptions options) {
        return settings("rdma_accept", CmRep.PRIVATE_DATA_BYTES, wanted, qp, facts, options);
    }

    static byte[] reject(byte[] data) {
        byte[] some = data == null ? new byte[0] : data;
        requireRoom("rdma_reject", some, CmRej.PRIVATE_DATA_BYTES);
        return some;
    }

    private static LocalSettings settings(
            String verb, int room, ConnectionParameters given, IdQueuePair qp, PortFacts facts, IdOptions options) {
        ConnectionParameters wanted = given == null ? ConnectionParameters.DEFAULT : given;
        byte[] data = wanted.privateData();
        requireRoom(verb, data, room);
        QueuePair own = qp.get();
        if (own == null && wanted.qpNumber() == 0) {
            throw new RdmaException(
                    verb,
                    Errno.EINVAL,
                    "the id has no queue pair; call createQueuePair first, or name one with withQpNumber");
        }
        return new LocalSettings(
                own == null ? number(verb, wanted.qpNumber()) : own.number(),
                own == null,
                own == null ? wanted.srq() : qp.hasSharedReceiveQueue(),
                reads(verb, "responderResources", wanted.responderResources(), facts.maxResponderResources()),
                reads(verb, "initiatorDepth", wanted.initiatorDepth(), facts.maxInitiatorDepth()),
                wanted.flowControl(),
                retries(wanted.retryCount()),
                retries(wanted.rnrRetryCount()),
                options.timing(),
                data,
                Waiter.nanoseconds(options.timeout()));
    }

    private static int number(String verb, int qpNumber) {
        if (qpNumber < FIRST_QP || qpNumber > LAST_QP) {
            throw new RdmaException(
                    verb, Errno.EINVAL, "queue pair number %d; there are 2 to 0xfffffe".formatted(qpNumber));
        }
        return qpNumber;
    }

    private static int reads(String verb, String name, int wanted, int most) {
        if (wanted == ConnectionParameters.DEVICE_MAXIMUM) {
            return most;
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
