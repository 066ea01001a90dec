package io.verbena.rdmacore.cm;

import io.verbena.rdmacore.layout.QpAttr;
import io.verbena.rdmacore.lib.Failures;
import io.verbena.rdmacore.lib.Failures.Subject;
import io.verbena.rdmacore.qp.AddressCodec;
import io.verbena.verbs.Errno;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.attr.QueuePairAttribute;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.spi.QueuePairTiming;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.ObjLongConsumer;

/// Moves a queue pair along with its connection, as librdmacm does for those it made itself; the kernel's connection
/// manager says with which attributes.
final class QueuePairSteps {
    /// How to read each attribute from a [QpAttr].
    private static final Map<QueuePairAttribute, ObjLongConsumer<QueuePairChange>> READERS =
            new EnumMap<>(QueuePairAttribute.class);

    static {
        READERS.put(
                QueuePairAttribute.ACCESS,
                (change, attr) -> change.access(
                        Access.of(QpAttr.QP_ACCESS_FLAGS.get(attr)).toArray(Access[]::new)));
        READERS.put(QueuePairAttribute.PKEY_INDEX, (change, attr) -> change.pkeyIndex(QpAttr.PKEY_INDEX.get(attr)));
        READERS.put(QueuePairAttribute.PORT, (change, attr) -> change.port(QpAttr.PORT_NUM.get(attr)));
        READERS.put(QueuePairAttribute.QKEY, (change, attr) -> change.qkey(QpAttr.QKEY.get(attr)));
        READERS.put(
                QueuePairAttribute.ADDRESS_VECTOR,
                (change, attr) -> change.address(AddressCodec.read(attr + QpAttr.AH_ATTR)));
        READERS.put(
                QueuePairAttribute.PATH_MTU, (change, attr) -> change.pathMtu(Mtu.ofCode(QpAttr.PATH_MTU.get(attr))));
        READERS.put(QueuePairAttribute.TIMEOUT, (change, attr) -> change.timeout(QpAttr.TIMEOUT.get(attr)));
        READERS.put(QueuePairAttribute.RETRY_COUNT, (change, attr) -> change.retryCount(QpAttr.RETRY_CNT.get(attr)));
        READERS.put(QueuePairAttribute.RNR_RETRY, (change, attr) -> change.rnrRetry(QpAttr.RNR_RETRY.get(attr)));
        READERS.put(QueuePairAttribute.RECEIVE_PSN, (change, attr) -> change.receivePsn(QpAttr.RQ_PSN.get(attr)));
        READERS.put(
                QueuePairAttribute.MAX_READ_ATOMIC,
                (change, attr) -> change.maxReadAtomic(QpAttr.MAX_RD_ATOMIC.get(attr)));
        READERS.put(
                QueuePairAttribute.MIN_RNR_TIMER, (change, attr) -> change.minRnrTimer(QpAttr.MIN_RNR_TIMER.get(attr)));
        READERS.put(QueuePairAttribute.SEND_PSN, (change, attr) -> change.sendPsn(QpAttr.SQ_PSN.get(attr)));
        READERS.put(
                QueuePairAttribute.MAX_DESTINATION_READ_ATOMIC,
                (change, attr) -> change.maxDestinationReadAtomic(QpAttr.MAX_DEST_RD_ATOMIC.get(attr)));
        READERS.put(
                QueuePairAttribute.DESTINATION_QP,
                (change, attr) -> change.destinationQp(QpAttr.DEST_QP_NUM.get(attr)));
    }

    private QueuePairSteps() {}

    /// The attributes that the kernel wants for that step.
    static QueuePairChange step(long id, QueuePairState to) {
        try (Arena arena = Arena.ofConfined()) {
            long attributes = arena.allocate(QpAttr.SIZE, Long.BYTES).address();
            MemorySegment mask = arena.allocate(ValueLayout.JAVA_INT);
            QpAttr.QP_STATE.set(attributes, to.code());
            int failed = Rdmacm.LIB.initQueuePairAttributes(id, attributes, mask.address());
            if (failed < 0) {
                throw Failures.of(
                        Subject.CONNECTION,
                        "rdma_init_qp_attr",
                        failed,
                        "no attributes for " + to + " at this moment of the connection");
            }
            return decode(to, attributes, mask.get(ValueLayout.JAVA_INT, 0));
        }
    }

    /// Bits without a name are the kernel's own and are left out.
    static QueuePairChange decode(QueuePairState to, long attributes, int mask) {
        QueuePairChange change = QueuePairChange.to(to);
        READERS.forEach((attribute, reader) -> {
            if ((mask & attribute.bit()) != 0) {
                reader.accept(change, attributes);
            }
        });
        return change;
    }

    /// The kernel's attributes, with this side's own timers.
    static QueuePairChange step(long id, QueuePairState to, QueuePairTiming timing) {
        QueuePairChange change = step(id, to);
        if (change.has(QueuePairAttribute.MIN_RNR_TIMER)) {
            change.minRnrTimer(timing.minRnrTimer());
        }
        if (change.has(QueuePairAttribute.TIMEOUT)) {
            change.timeout(timing.ackTimeout(change.timeout()));
        }
        return change;
    }

    /// For a queue pair that the program moves itself. The rights are known only once the peers have agreed, so those
    /// of INIT come again with RTR.
    static QueuePairChange complete(long id, QueuePairState to, QueuePairTiming timing) {
        QueuePairChange change = step(id, to, timing);
        requireKnown(change);
        if (to == QueuePairState.RTR && change.has(QueuePairAttribute.ADDRESS_VECTOR)) {
            int rights = step(id, QueuePairState.INIT).accessBits();
            change.access(Access.of(rights).toArray(Access[]::new));
        }
        return change;
    }

    /// Before messages were exchanged with the peer the kernel returns the attributes of INIT, whatever step was asked
    /// for.
    private static void requireKnown(QueuePairChange change) {
        boolean isKnown = switch (change.state()) {
            case INIT -> true;
            case RTR -> change.has(QueuePairAttribute.ADDRESS_VECTOR) || change.has(QueuePairAttribute.QKEY);
            case RTS -> change.has(QueuePairAttribute.SEND_PSN) || change.has(QueuePairAttribute.QKEY);
            default -> false;
        };
        if (!isKnown) {
            throw new RdmaException(
                    "rdma_init_qp_attr",
                    Errno.EINVAL,
                    "no attributes for " + change.state() + " at this moment of the connection");
        }
    }

    /// To INIT, where receives can be posted; a datagram queue pair is ready to send at once. The kernel knows no
    /// attributes when the peer has given up meanwhile: then accepting will fail, not this.
    static void init(long id, int port, QueuePair qp, boolean datagrams) {
        QueuePairChange first;
        try {
            first = step(id, QueuePairState.INIT);
        } catch (RdmaException e) {
            if (datagrams || e.errno() != Errno.EINVAL) {
                throw e;
            }
            first = QueuePairChange.toInit().port(port);
        }
        qp.modify(first);
        if (datagrams) {
            qp.modify(QueuePairChange.toRtr());
            qp.modify(QueuePairChange.toRtsUnreliable(0));
        }
    }

    /// From INIT to RTS, the active side, with what both sides agreed on.
    static void connect(long id, QueuePair qp, QueuePairTiming timing) {
        qp.modify(step(id, QueuePairState.INIT)); // the rights are known only now
        qp.modify(step(id, QueuePairState.RTR, timing));
        qp.modify(step(id, QueuePairState.RTS, timing));
    }

    /// From INIT to RTS, the passive side, with what it is going to answer.
    static void accept(long id, QueuePair qp, QueuePairTiming timing, int responderResources, int initiatorDepth) {
        qp.modify(step(id, QueuePairState.INIT));
        QueuePairChange receive = step(id, QueuePairState.RTR, timing);
        if (receive.has(QueuePairAttribute.MAX_DESTINATION_READ_ATOMIC)) {
            receive.maxDestinationReadAtomic(responderResources);
        }
        qp.modify(receive);
        QueuePairChange send = step(id, QueuePairState.RTS, timing);
        if (send.has(QueuePairAttribute.MAX_READ_ATOMIC)) {
            send.maxReadAtomic(initiatorDepth);
        }
        qp.modify(send);
    }

    /// To ERR, if there is one and it lives.
    static void fail(QueuePair qp) {
        if (qp == null) {
            return;
        }
        try {
            qp.modify(QueuePairChange.to(QueuePairState.ERR));
        } catch (RdmaException closedMeanwhile) {
            return; // then it does not matter any more in which state it was
        }
    }
}
