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
        QpInitAttr.sendCq(initAttr, sendCq);
        QpInitAttr.recvCq(initAttr, receiveCq);
        QpInitAttr.srq(initAttr, srq);
        QpInitAttr.qpType(initAttr, options.type().code());
        QpInitAttr.sqSigAll(initAttr, options.signalAll() ? 1 : 0);
        QueuePairCapabilities asked = options.capabilities();
        long cap = initAttr + QpInitAttr.CAP;
        QpCap.maxSendWr(cap, asked.maxSendRequests());
        QpCap.maxRecvWr(cap, srq == 0 ? asked.maxReceiveRequests() : 0);
        QpCap.maxSendSge(cap, asked.maxSendScatterGather());
        QpCap.maxRecvSge(cap, srq == 0 ? asked.maxReceiveScatterGather() : 0);
        QpCap.maxInlineData(cap, asked.maxInlineBytes());
    }

    /// The sizes that the device gave, from a `struct ibv_qp_cap`.
    public static QueuePairCapabilities readCapabilities(long cap) {
        return new QueuePairCapabilities(
                QpCap.maxSendWr(cap),
                QpCap.maxRecvWr(cap),
                QpCap.maxSendSge(cap),
                QpCap.maxRecvSge(cap),
                QpCap.maxInlineData(cap));
    }

    /// Fills in a zeroed `struct ibv_qp_attr`; returns its mask.
    static int writeChange(NativeContext context, long attr, QueuePairChange change) {
        int mask = 0;
        for (QueuePairAttribute attribute : change.attributesSet()) {
            mask |= attribute.bit();
            switch (attribute) {
                case STATE -> QpAttr.qpState(attr, change.state().code());
                case CURRENT_STATE ->
                    QpAttr.curQpState(attr, change.currentState().code());
                case SQD_NOTIFY -> QpAttr.enSqdAsyncNotify(attr, change.sqdNotify() ? 1 : 0);
                case ACCESS -> QpAttr.qpAccessFlags(attr, change.accessBits());
                case PKEY_INDEX -> QpAttr.pkeyIndex(attr, change.pkeyIndex());
                case PORT -> QpAttr.portNum(attr, change.port());
                case QKEY -> QpAttr.qkey(attr, change.qkey());
                case ADDRESS_VECTOR -> AddressCodec.write(context, attr + QpAttr.AH_ATTR, change.address());
                case PATH_MTU -> QpAttr.pathMtu(attr, change.pathMtu().code());
                case TIMEOUT -> QpAttr.timeout(attr, change.timeout());
                case RETRY_COUNT -> QpAttr.retryCnt(attr, change.retryCount());
                case RNR_RETRY -> QpAttr.rnrRetry(attr, change.rnrRetry());
                case RECEIVE_PSN -> QpAttr.rqPsn(attr, change.receivePsn());
                case SEND_PSN -> QpAttr.sqPsn(attr, change.sendPsn());
                case MAX_READ_ATOMIC -> QpAttr.maxRdAtomic(attr, change.maxReadAtomic());
                case MAX_DESTINATION_READ_ATOMIC -> QpAttr.maxDestRdAtomic(attr, change.maxDestinationReadAtomic());
                case MIN_RNR_TIMER -> QpAttr.minRnrTimer(attr, change.minRnrTimer());
                case DESTINATION_QP -> QpAttr.destQpNum(attr, change.destinationQp());
                case ALTERNATE_PATH, PATH_MIGRATION_STATE, CAPABILITIES ->
                    throw new AssertionError("QueuePairChange cannot set " + attribute);
            }
        }
        return mask;
    }

    static QueuePairAttributes readAttributes(long attr) {
        int mtu = QpAttr.pathMtu(attr);
        AddressVector address = AddressCodec.read(attr + QpAttr.AH_ATTR);
        boolean connected = QpAttr.destQpNum(attr) != 0;
        return new QueuePairAttributes(
                QueuePairState.ofCode(QpAttr.qpState(attr)),
                QpAttr.qpAccessFlags(attr),
                QpAttr.pkeyIndex(attr),
                QpAttr.portNum(attr),
                QpAttr.qkey(attr),
                connected ? address : null,
                connected && mtu >= 1 && mtu <= 5 ? Mtu.ofCode(mtu) : null,
                QpAttr.destQpNum(attr),
                QpAttr.rqPsn(attr),
                QpAttr.sqPsn(attr),
                QpAttr.timeout(attr),
                QpAttr.retryCnt(attr),
                QpAttr.rnrRetry(attr),
                QpAttr.minRnrTimer(attr),
                QpAttr.maxRdAtomic(attr),
                QpAttr.maxDestRdAtomic(attr),
                QpAttr.sqDraining(attr) != 0,
                readCapabilities(attr + QpAttr.CAP));
    }
}
