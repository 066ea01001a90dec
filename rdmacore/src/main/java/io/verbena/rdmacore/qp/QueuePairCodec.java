package io.verbena.rdmacore.qp;

import io.verbena.rdmacore.NativeContext;
import io.verbena.rdmacore.layout.QpAttr;
import io.verbena.rdmacore.layout.QpCap;
import io.verbena.rdmacore.layout.QpInitAttr;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.attr.QueuePairAttribute;
import io.verbena.verbs.attr.QueuePairAttributes;
import io.verbena.verbs.attr.QueuePairCapabilities;
import io.verbena.verbs.attr.QueuePairState;

/// Queue pairs between Java and the structs of C.
public final class QueuePairCodec {
    private QueuePairCodec() {}

    /// Fills in a zeroed `struct ibv_qp_init_attr`; its first part is also that of `ibv_qp_init_attr_ex`.
    public static void writeOptions(long initAttr, QueuePairOptions options, long sendCq, long receiveCq, long srq) {
        QpInitAttr.SEND_CQ.set(initAttr, sendCq);
        QpInitAttr.RECV_CQ.set(initAttr, receiveCq);
        QpInitAttr.SRQ.set(initAttr, srq);
        QpInitAttr.QP_TYPE.set(initAttr, options.type().code());
        QpInitAttr.SQ_SIG_ALL.set(initAttr, options.signalAll() ? 1 : 0);
        QueuePairCapabilities asked = options.capabilities();
        long cap = initAttr + QpInitAttr.CAP;
        QpCap.MAX_SEND_WR.set(cap, asked.maxSendRequests());
        QpCap.MAX_RECV_WR.set(cap, srq == 0 ? asked.maxReceiveRequests() : 0);
        QpCap.MAX_SEND_SGE.set(cap, asked.maxSendScatterGather());
        QpCap.MAX_RECV_SGE.set(cap, srq == 0 ? asked.maxReceiveScatterGather() : 0);
        QpCap.MAX_INLINE_DATA.set(cap, asked.maxInlineBytes());
    }

    /// The sizes that the device gave, from a `struct ibv_qp_cap`.
    public static QueuePairCapabilities readCapabilities(long cap) {
        return new QueuePairCapabilities(
                QpCap.MAX_SEND_WR.get(cap),
                QpCap.MAX_RECV_WR.get(cap),
                QpCap.MAX_SEND_SGE.get(cap),
                QpCap.MAX_RECV_SGE.get(cap),
                QpCap.MAX_INLINE_DATA.get(cap));
    }

    /// Fills in a zeroed `struct ibv_qp_attr`; returns its mask.
    static int writeChange(NativeContext context, long attr, QueuePairChange change) {
        int mask = 0;
        for (QueuePairAttribute attribute : change.attributesSet()) {
            mask |= attribute.bit();
            switch (attribute) {
                case STATE -> QpAttr.QP_STATE.set(attr, change.state().code());
                case CURRENT_STATE ->
                    QpAttr.CUR_QP_STATE.set(attr, change.currentState().code());
                case SQD_NOTIFY -> QpAttr.EN_SQD_ASYNC_NOTIFY.set(attr, change.sqdNotify() ? 1 : 0);
                case ACCESS -> QpAttr.QP_ACCESS_FLAGS.set(attr, change.accessBits());
                case PKEY_INDEX -> QpAttr.PKEY_INDEX.set(attr, change.pkeyIndex());
                case PORT -> QpAttr.PORT_NUM.set(attr, change.port());
                case QKEY -> QpAttr.QKEY.set(attr, change.qkey());
                case ADDRESS_VECTOR -> AddressCodec.write(context, attr + QpAttr.AH_ATTR, change.address());
                case PATH_MTU -> QpAttr.PATH_MTU.set(attr, change.pathMtu().code());
                case TIMEOUT -> QpAttr.TIMEOUT.set(attr, change.timeout());
                case RETRY_COUNT -> QpAttr.RETRY_CNT.set(attr, change.retryCount());
                case RNR_RETRY -> QpAttr.RNR_RETRY.set(attr, change.rnrRetry());
                case RECEIVE_PSN -> QpAttr.RQ_PSN.set(attr, change.receivePsn());
                case SEND_PSN -> QpAttr.SQ_PSN.set(attr, change.sendPsn());
                case MAX_READ_ATOMIC -> QpAttr.MAX_RD_ATOMIC.set(attr, change.maxReadAtomic());
                case MAX_DESTINATION_READ_ATOMIC ->
                    QpAttr.MAX_DEST_RD_ATOMIC.set(attr, change.maxDestinationReadAtomic());
                case MIN_RNR_TIMER -> QpAttr.MIN_RNR_TIMER.set(attr, change.minRnrTimer());
                case DESTINATION_QP -> QpAttr.DEST_QP_NUM.set(attr, change.destinationQp());
                case ALTERNATE_PATH, PATH_MIGRATION_STATE, CAPABILITIES ->
                    throw new AssertionError("QueuePairChange cannot set " + attribute);
            }
        }
        return mask;
    }

    static QueuePairAttributes readAttributes(long attr) {
        int mtu = QpAttr.PATH_MTU.get(attr);
        AddressVector address = AddressCodec.read(attr + QpAttr.AH_ATTR);
        boolean connected = QpAttr.DEST_QP_NUM.get(attr) != 0;
        return new QueuePairAttributes(
                QueuePairState.ofCode(QpAttr.QP_STATE.get(attr)),
                QpAttr.QP_ACCESS_FLAGS.get(attr),
                QpAttr.PKEY_INDEX.get(attr),
                QpAttr.PORT_NUM.get(attr),
                QpAttr.QKEY.get(attr),
                connected ? address : null,
                connected && mtu >= 1 && mtu <= 5 ? Mtu.ofCode(mtu) : null,
                QpAttr.DEST_QP_NUM.get(attr),
                QpAttr.RQ_PSN.get(attr),
                QpAttr.SQ_PSN.get(attr),
                QpAttr.TIMEOUT.get(attr),
                QpAttr.RETRY_CNT.get(attr),
                QpAttr.RNR_RETRY.get(attr),
                QpAttr.MIN_RNR_TIMER.get(attr),
                QpAttr.MAX_RD_ATOMIC.get(attr),
                QpAttr.MAX_DEST_RD_ATOMIC.get(attr),
                QpAttr.SQ_DRAINING.get(attr) != 0,
                readCapabilities(attr + QpAttr.CAP));
    }
}
