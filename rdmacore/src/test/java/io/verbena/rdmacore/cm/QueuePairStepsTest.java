package io.verbena.rdmacore.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.verbena.rdmacore.layout.QpAttr;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.attr.QueuePairAttribute;
import io.verbena.verbs.attr.QueuePairState;
import java.lang.foreign.Arena;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class QueuePairStepsTest {
    private static int mask(Set<QueuePairAttribute> attributes) {
        return attributes.stream().mapToInt(QueuePairAttribute::bit).sum();
    }

    /// The mask that the kernel returns for a connection, with bits that have no name here.
    @Test
    void shouldReadTheAttributesThatTheMaskNames() {
        Set<QueuePairAttribute> named = EnumSet.of(
                QueuePairAttribute.STATE,
                QueuePairAttribute.ADDRESS_VECTOR,
                QueuePairAttribute.PATH_MTU,
                QueuePairAttribute.DESTINATION_QP,
                QueuePairAttribute.RECEIVE_PSN,
                QueuePairAttribute.MAX_DESTINATION_READ_ATOMIC,
                QueuePairAttribute.MIN_RNR_TIMER);
        try (Arena arena = Arena.ofConfined()) {
            long attr = arena.allocate(QpAttr.SIZE, 8).address();
            QpAttr.PATH_MTU.set(attr, Mtu.MTU_1024.code());
            QpAttr.DEST_QP_NUM.set(attr, 17);
            QpAttr.RQ_PSN.set(attr, 0xABCDEF);
            QpAttr.MAX_DEST_RD_ATOMIC.set(attr, 128);
            QpAttr.TIMEOUT.set(attr, 19);
            QueuePairChange change = QueuePairSteps.decode(QueuePairState.RTR, attr, mask(named) | 0xE0_0000);
            assertEquals(named, change.attributesSet());
            assertEquals(QueuePairState.RTR, change.state());
            assertEquals(Mtu.MTU_1024, change.pathMtu());
            assertEquals(17, change.destinationQp());
            assertEquals(0xABCDEF, change.receivePsn());
            assertEquals(128, change.maxDestinationReadAtomic());
            assertFalse(change.has(QueuePairAttribute.TIMEOUT));
        }
    }

    @Test
    void shouldReadRightsPortAndKeys() {
        Set<QueuePairAttribute> named = EnumSet.of(
                QueuePairAttribute.STATE,
                QueuePairAttribute.ACCESS,
                QueuePairAttribute.PORT,
                QueuePairAttribute.PKEY_INDEX,
                QueuePairAttribute.QKEY);
        try (Arena arena = Arena.ofConfined()) {
            long attr = arena.allocate(QpAttr.SIZE, 8).address();
            QpAttr.QP_ACCESS_FLAGS.set(attr, Access.bits(Access.REMOTE_WRITE, Access.REMOTE_READ));
            QpAttr.PORT_NUM.set(attr, 2);
            QpAttr.PKEY_INDEX.set(attr, 3);
            QpAttr.QKEY.set(attr, 0x01234567);
            QueuePairChange change = QueuePairSteps.decode(QueuePairState.INIT, attr, mask(named));
            assertEquals(Access.bits(Access.REMOTE_WRITE, Access.REMOTE_READ), change.accessBits());
            assertEquals(2, change.port());
            assertEquals(3, change.pkeyIndex());
            assertEquals(0x01234567, change.qkey());
        }
    }

    @Test
    void shouldReadWhatSendingNeeds() {
        Set<QueuePairAttribute> named = EnumSet.of(
                QueuePairAttribute.STATE,
                QueuePairAttribute.SEND_PSN,
                QueuePairAttribute.TIMEOUT,
                QueuePairAttribute.RETRY_COUNT,
                QueuePairAttribute.RNR_RETRY,
                QueuePairAttribute.MAX_READ_ATOMIC);
        try (Arena arena = Arena.ofConfined()) {
            long attr = arena.allocate(QpAttr.SIZE, 8).address();
            QpAttr.SQ_PSN.set(attr, 5);
            QpAttr.TIMEOUT.set(attr, 19);
            QpAttr.RETRY_CNT.set(attr, 7);
            QpAttr.RNR_RETRY.set(attr, 6);
            QpAttr.MAX_RD_ATOMIC.set(attr, 16);
            QueuePairChange change = QueuePairSteps.decode(QueuePairState.RTS, attr, mask(named));
            assertEquals(5, change.sendPsn());
            assertEquals(19, change.timeout());
            assertEquals(7, change.retryCount());
            assertEquals(6, change.rnrRetry());
            assertEquals(16, change.maxReadAtomic());
        }
    }
}
