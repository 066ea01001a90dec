package io.verbena.soft.qp;

import io.verbena.soft.engine.Destination;
import io.verbena.soft.limit.SoftLimits;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.attr.QueuePairAttribute;
import io.verbena.verbs.spi.ChangeCheck;

/// The settings of a queue pair, from `modify` and from the connection manager. Owned by the engine.
final class QueuePairSettings {
    /// The unit of timeout codes, IBTA: 4.096 µs.
    private static final long TIMEOUT_UNIT_NS = 4096;

    int access;
    int pkeyIndex;
    int port = 1;
    int qkey;
    AddressVector address;
    long peerHigh;
    long peerLow;
    Destination destination;
    Mtu pathMtu;
    int mtu;
    int destinationQp;
    int receivePsn;
    int sendPsn;
    int timeout;
    int retryCount;
    int rnrRetry;
    int minRnrTimer;
    int maxReadAtomic;
    int maxDestinationReadAtomic;
    boolean sqdNotify;

    /// How long the peer may be silent before keep-alives are sent; 0 = for ever.
    long livenessNs;

    /// The number of packets of a message.
    int packets(long bytes) {
        return bytes == 0 ? 1 : (int) ((bytes + mtu - 1) / mtu);
    }

    /// How long an acknowledgement may take; 0 = for ever.
    long timeoutNs() {
        return timeout == 0 ? 0 : TIMEOUT_UNIT_NS << timeout;
    }

    /// Refuses values that the device cannot honour (rule QP-7), before anything is changed.
    static void check(int qpNumber, QueuePairChange change, Mtu maxMtu, Gid local) {
        String verb = "modify QP 0x%x".formatted(qpNumber);
        ChangeCheck.check(verb, change, 1, 0, SoftLimits.MAX_READ_ATOMIC);
        ChangeCheck.checkMtu(verb, change, maxMtu);
        if (change.has(QueuePairAttribute.ADDRESS_VECTOR)) {
            SoftAddressHandle.check(verb, change.address(), local);
        }
    }

    void apply(QueuePairChange change) {
        for (QueuePairAttribute attribute : change.attributesSet()) {
            switch (attribute) {
                case ACCESS -> access = change.accessBits();
                case PKEY_INDEX -> pkeyIndex = change.pkeyIndex();
                case PORT -> port = change.port();
                case QKEY -> qkey = change.qkey();
                case ADDRESS_VECTOR -> applyAddress(change.address());
                case PATH_MTU -> {
                    pathMtu = change.pathMtu();
                    mtu = pathMtu.bytes();
                }
                case DESTINATION_QP -> destinationQp = change.destinationQp();
                case RECEIVE_PSN -> receivePsn = change.receivePsn();
                case SEND_PSN -> sendPsn = change.sendPsn();
                case TIMEOUT -> timeout = change.timeout();
                case RETRY_COUNT -> retryCount = change.retryCount();
                case RNR_RETRY -> rnrRetry = change.rnrRetry();
                case MIN_RNR_TIMER -> minRnrTimer = change.minRnrTimer();
                case MAX_READ_ATOMIC -> maxReadAtomic = change.maxReadAtomic();
                case MAX_DESTINATION_READ_ATOMIC -> maxDestinationReadAtomic = change.maxDestinationReadAtomic();
                case SQD_NOTIFY -> sqdNotify = change.sqdNotify();
                case STATE, CURRENT_STATE, ALTERNATE_PATH, PATH_MIGRATION_STATE, CAPABILITIES -> {}
            }
        }
    }

    private void applyAddress(AddressVector vector) {
        address = vector;
        peerHigh = vector.destination().high();
        peerLow = vector.destination().low();
        destination = Destination.of(vector);
    }
}
