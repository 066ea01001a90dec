package io.verbena.soft.cm;

import io.verbena.roce.mad.CmRej;
import io.verbena.roce.mad.CmRep;
import io.verbena.roce.mad.CmReq;
import io.verbena.roce.mad.CmSidrRep;
import io.verbena.roce.mad.CmSidrReq;
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
    private static final int SEARCH_BYTES = CmSidrReq.PRIVATE_DATA_BYTES - CmaHeader.BYTES;
    private static final int CONNECT_BYTES = CmReq.PRIVATE_DATA_BYTES - CmaHeader.BYTES;

    private ParameterRules() {}

    static LocalSettings connect(ConnectionParameters wanted, IdQueuePair qp, PortFacts facts, IdOptions options) {
        return settings("rdma_connect", CONNECT_BYTES, wanted, qp, facts, options);
    }

    static LocalSettings accept(ConnectionParameters wanted, IdQueuePair qp, PortFacts facts, IdOptions options) {
        return settings("rdma_accept", CmRep.PRIVATE_DATA_BYTES, wanted, qp, facts, options);
    }

    static byte[] reject(byte[] data) {
        return rejection(data, CmRej.PRIVATE_DATA_BYTES);
    }

    /// With connect in a port space of datagrams.
    static DatagramSettings search(ConnectionParameters wanted, IdQueuePair qp) {
        return datagrams("rdma_connect", SEARCH_BYTES, wanted, qp);
    }

    /// With accept in a port space of datagrams.
    static DatagramSettings serve(ConnectionParameters wanted, IdQueuePair qp) {
        return datagrams("rdma_accept", CmSidrRep.PRIVATE_DATA_BYTES, wanted, qp);
    }

    /// With reject in a port space of datagrams.
    static byte[] refuse(byte[] data) {
        return rejection(data, CmSidrRep.PRIVATE_DATA_BYTES);
    }

    private static byte[] rejection(byte[] data, int room) {
        byte[] some = data == null ? new byte[0] : data.clone();
        requireRoom("rdma_reject", some, room);
        return some;
    }

    private static DatagramSettings datagrams(String verb, int room, ConnectionParameters given, IdQueuePair qp) {
        ConnectionParameters wanted = given == null ? ConnectionParameters.DEFAULT : given;
        byte[] data = wanted.privateData();
        requireRoom(verb, data, room);
        return new DatagramSettings(number(verb, wanted, qp.get()), data);
    }

    private static LocalSettings settings(
            String verb, int room, ConnectionParameters given, IdQueuePair qp, PortFacts facts, IdOptions options) {
        ConnectionParameters wanted = given == null ? ConnectionParameters.DEFAULT : given;
        byte[] data = wanted.privateData();
        requireRoom(verb, data, room);
        QueuePair own = qp.get();
        return new LocalSettings(
                number(verb, wanted, own),
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

    /// Of the id's own queue pair, or of one that the program names.
    private static int number(String verb, ConnectionParameters wanted, QueuePair own) {
        if (own != null) {
            return own.number();
        }
        int named = wanted.qpNumber();
        if (named == 0) {
            throw new RdmaException(
                    verb,
                    Errno.EINVAL,
                    "the id has no queue pair; call createQueuePair first, or name one with withQpNumber");
        }
        if (named < FIRST_QP || named > LAST_QP) {
            throw new RdmaException(
                    verb, Errno.EINVAL, "queue pair number " + named + "; there are " + FIRST_QP + " to " + LAST_QP);
        }
        return named;
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
