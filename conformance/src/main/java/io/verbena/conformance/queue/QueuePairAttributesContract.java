package io.verbena.conformance.queue;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.conformance.Contract;
import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.LinkOptions;
import io.verbena.conformance.bench.QueuePairLink;
import io.verbena.conformance.bench.Quirks.Deviation;
import io.verbena.conformance.bench.RefusedCall;
import io.verbena.verbs.Errno;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.DeviceAttributes;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.attr.QueuePairAttributes;
import io.verbena.verbs.attr.QueuePairCapabilities;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.attr.QueuePairType;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Sizes and settings of queue pairs.
public abstract class QueuePairAttributesContract extends Contract {
    protected QueuePairAttributesContract() {}

    private QueuePairChange rtr(QueuePairLink link) {
        return QueuePairStep.change(link, QueuePairState.RTR, QueuePairStep.usual(QueuePairState.RTR));
    }

    private QueuePairChange rts(QueuePairLink link) {
        return QueuePairStep.change(link, QueuePairState.RTS, QueuePairStep.usual(QueuePairState.RTS));
    }

    private QueuePairLink in(QueuePairState state) {
        QueuePairLink link = devices().unconnected(LinkOptions.DEFAULT);
        QueuePairStep.bring(link, state);
        return link;
    }

    private void expectRefused(QueuePairLink link, String what, QueuePairChange change) {
        QueuePairState before = link.left().state();
        RefusedCall.with(Errno.EINVAL, what, () -> link.left().qp().modify(change));
        assertEquals(before, link.left().state(), what + " leaves the state");
    }

    @Test
    @Rule("QP-7")
    void shouldRefusePathMtuAbovePortMaximum() {
        Mtu most = left().context().port(1).maxMtu();
        Mtu usable = left().context().port(1).activeMtu();
        for (Mtu mtu : Mtu.values()) {
            QueuePairLink link = in(QueuePairState.INIT);
            QueuePairChange change = rtr(link).pathMtu(mtu);
            if (mtu.bytes() > most.bytes()) {
                expectRefused(link, "path MTU " + mtu, change);
            } else if (mtu.bytes() <= usable.bytes()) { // between the two a device may decide
                link.left().qp().modify(change);
                assertEquals(mtu, link.left().qp().query().pathMtu());
            }
        }
    }

    @Test
    @Rule("QP-7")
    void shouldRefuseTimeoutCodeAbove31() {
        QueuePairLink link = in(QueuePairState.RTR);
        expectRefused(link, "timeout 32", rts(link).timeout(32));
        link.left().qp().modify(rts(link).timeout(31));
    }

    @Test
    @Rule("QP-7")
    void shouldRefuseMoreReadsThanTheDeviceHas() {
        DeviceAttributes device = left().context().attributes();
        QueuePairLink link = in(QueuePairState.INIT);
        int responder = device.maxReadAtomicAsResponder();
        if (left().quirks().has(Deviation.INCOMING_READS_NOT_LIMITED)) {
            QueuePairLink taken = in(QueuePairState.INIT);
            taken.left().qp().modify(rtr(taken).maxDestinationReadAtomic(responder + 1));
        } else {
            expectRefused(link, "too many incoming reads", rtr(link).maxDestinationReadAtomic(responder + 1));
        }
        link.left().qp().modify(rtr(link).maxDestinationReadAtomic(responder));
        int initiator = device.maxReadAtomicAsInitiator();
        expectRefused(link, "too many outgoing reads", rts(link).maxReadAtomic(initiator + 1));
        link.left().qp().modify(rts(link).maxReadAtomic(initiator));
    }

    @Test
    @Rule("QP-7")
    void shouldRefusePortThatDoesNotExist() {
        int ports = left().context().attributes().portCount();
        for (int port : new int[] {0, ports + 1, -1}) {
            QueuePairLink link = in(QueuePairState.RESET);
            expectRefused(link, "port " + port, QueuePairChange.toInit().port(port));
        }
    }

    @Test
    @Rule({"QP-7", "QP-8"})
    void shouldShowWhatWasSet() {
        QueuePairLink link = in(QueuePairState.INIT);
        QueuePair qp = link.left().qp();
        qp.modify(rtr(link).access(Access.REMOTE_READ));
        qp.modify(rts(link));
        QueuePairAttributes now = qp.query();
        assertAll(
                () -> assertEquals(QueuePairState.RTS, now.state()),
                () -> assertEquals(1, now.port()),
                () -> assertEquals(Access.REMOTE_READ.bit(), now.access() & Access.REMOTE_READ.bit()),
                () -> assertEquals(0, now.access() & Access.REMOTE_WRITE.bit()),
                () -> assertEquals(Mtu.MTU_512, now.pathMtu()),
                () -> assertEquals(link.right().qp().number(), now.destinationQp()),
                () -> assertEquals(
                        left().pathTo(right()).destination(), now.address().destination()),
                () -> assertEquals(77, now.receivePsn()),
                () -> assertEquals(78, now.sendPsn()),
                () -> assertEquals(15, now.timeout()),
                () -> assertEquals(5, now.retryCount()),
                () -> assertEquals(5, now.rnrRetry()),
                () -> assertEquals(10, now.minRnrTimer()),
                () -> assertTrue(now.maxReadAtomic() >= 2, "reads as requester"),
                () -> assertTrue(now.maxDestinationReadAtomic() >= 2, "reads as responder"),
                () -> assertEquals(qp.capabilities(), now.capabilities()));
    }

    @Test
    @Rule("QP-9")
    void shouldGiveAtLeastTheCapabilitiesAskedFor() {
        var cq = left().completionQueue(64);
        for (int n = 1; n <= 16; n++) {
            QueuePairCapabilities asked = new QueuePairCapabilities(n, n + 1, n, n, 8 * n);
            QueuePairCapabilities given = left().queuePair(
                            QueuePairOptions.rc(cq).capabilities(asked))
                    .capabilities();
            assertAll(
                    () -> assertTrue(given.maxSendRequests() >= asked.maxSendRequests(), given.toString()),
                    () -> assertTrue(given.maxReceiveRequests() >= asked.maxReceiveRequests(), given.toString()),
                    () -> assertTrue(given.maxSendScatterGather() >= asked.maxSendScatterGather(), given.toString()),
                    () -> assertTrue(
                            given.maxReceiveScatterGather() >= asked.maxReceiveScatterGather(), given.toString()),
                    () -> assertTrue(given.maxInlineBytes() >= asked.maxInlineBytes(), given.toString()));
        }
    }

    @Test
    @Rule("QP-9")
    void shouldRefuseCapabilitiesBeyondTheDevice() {
        DeviceAttributes device = left().context().attributes();
        QueuePairOptions options = QueuePairOptions.rc(left().completionQueue(64));
        RefusedCall.with(
                Errno.EINVAL,
                "too many sends",
                () -> left().queuePair(options.sendRequests(device.maxWorkRequests() + 1)));
        RefusedCall.with(
                Errno.EINVAL,
                "too many receives",
                () -> left().queuePair(options.receiveRequests(device.maxWorkRequests() + 1)));
        RefusedCall.with(
                Errno.EINVAL,
                "too many send buffers",
                () -> left().queuePair(options.scatterGather(device.maxScatterGather() + 1, 1)));
        RefusedCall.with(
                Errno.EINVAL,
                "too many receive buffers",
                () -> left().queuePair(options.scatterGather(1, device.maxScatterGather() + 1)));
        RefusedCall.with(
                Errno.EINVAL,
                "too many inline bytes",
                () -> left().queuePair(options.inlineBytes(device.maxInlineBytes() + 1)));
    }

    @Test
    @Rule("QP-9")
    void shouldSayWhatItWasMadeOf() {
        var sends = left().completionQueue(16);
        var receives = left().completionQueue(16);
        QueuePair qp = left().queuePair(QueuePairOptions.of(QueuePairType.RC, sends, receives));
        assertAll(
                () -> assertEquals(QueuePairType.RC, qp.type()),
                () -> assertEquals(sends, qp.sendCq()),
                () -> assertEquals(receives, qp.receiveCq()),
                () -> assertEquals(left().pd(), qp.protectionDomain()));
    }

    @Test
    @Rule("QP-9")
    void shouldGiveEveryQueuePairANumberOfItsOwn() {
        var cq = left().completionQueue(64);
        Set<Integer> numbers = new HashSet<>();
        for (int i = 0; i < 32; i++) {
            int number = left().queuePair(QueuePairOptions.rc(cq)).number();
            assertTrue(numbers.add(number), () -> "number " + number + " is given twice");
            assertEquals(number, number & 0xFF_FFFF, "numbers have 24 bits");
            assertNotEquals(0, number, "0 and 1 are reserved");
            assertNotEquals(1, number, "0 and 1 are reserved");
        }
    }
}
