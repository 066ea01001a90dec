package io.verbena.conformance.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.verbena.conformance.Contract;
import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.Bytes;
import io.verbena.conformance.bench.Deadline;
import io.verbena.conformance.bench.LinkEnd;
import io.verbena.conformance.bench.LinkOptions;
import io.verbena.conformance.bench.QueuePairLink;
import io.verbena.conformance.bench.Quirks.Deviation;
import io.verbena.conformance.bench.RefusedCall;
import io.verbena.verbs.AsyncEvent;
import io.verbena.verbs.Errno;
import io.verbena.verbs.attr.AsyncEventType;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairAttribute;
import io.verbena.verbs.attr.QueuePairAttributes;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.attr.QueuePairType;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// The states of queue pairs and the steps between them.
public abstract class QueuePairStateContract extends Contract {
    private final Map<QueuePairType, LinkEnd> peers = new EnumMap<>(QueuePairType.class);

    protected QueuePairStateContract() {}

    private QueuePairLink fresh() {
        return devices().unconnected(LinkOptions.DEFAULT);
    }

    @Test
    @Rule("QP-1")
    void shouldStartInReset() {
        assertEquals(QueuePairState.RESET, fresh().left().state());
    }

    /// With a peer that takes no steps: one of each type is enough.
    private QueuePairLink fresh(QueuePairType type) {
        LinkOptions options = LinkOptions.DEFAULT.type(type).completionEntries(8);
        LinkEnd peer = peers.computeIfAbsent(type, t -> LinkEnd.withChannels(right(), options, 2, null, null));
        return new QueuePairLink(LinkEnd.withChannels(left(), options, 1, null, null), peer, options);
    }

    /// A test of one step of one type of queue pair.
    private interface Trial {
        void run(QueuePairType type, QueuePairStep step);
    }

    /// One test for each step of each type.
    private static List<DynamicTest> forEachStep(Trial trial) {
        List<DynamicTest> tests = new ArrayList<>();
        for (QueuePairType type : QueuePairType.values()) {
            for (QueuePairStep step : QueuePairStep.legal(type)) {
                tests.add(dynamicTest(type + " " + step, () -> trial.run(type, step)));
            }
        }
        return tests;
    }

    @TestFactory
    @Rule("QP-1")
    List<DynamicTest> shouldTakeEveryLegalStep() {
        return forEachStep((type, step) -> {
            QueuePairLink link = fresh(type);
            QueuePairStep.bring(link, step.from());
            link.left().qp().modify(QueuePairStep.change(link, step.to(), step.required()));
            assertEquals(step.to(), link.left().state());
            assertEquals(step.to(), link.left().qp().state());
        });
    }

    @TestFactory
    @Rule("QP-1")
    List<DynamicTest> shouldRefuseEveryOtherStep() {
        List<DynamicTest> tests = new ArrayList<>();
        for (QueuePairType type : QueuePairType.values()) {
            for (QueuePairState from : QueuePairStep.STATES) {
                tests.add(dynamicTest(type + " from " + from, () -> {
                    QueuePairLink link = fresh(type);
                    QueuePairStep.bring(link, from);
                    for (QueuePairState to : QueuePairState.values()) {
                        if (!QueuePairStep.isLegal(type, from, to)) {
                            expectRefused(link, to, QueuePairStep.usual(type, to));
                        }
                    }
                }));
            }
        }
        return tests;
    }

    private void expectRefused(QueuePairLink link, QueuePairState to, Set<QueuePairAttribute> attributes) {
        QueuePairAttributes before = link.left().qp().query();
        RefusedCall.with(
                Errno.EINVAL,
                before.state() + " to " + to + " with " + attributes,
                () -> link.left().qp().modify(QueuePairStep.change(link, to, attributes)));
        assertEquals(before, link.left().qp().query(), "a refused step changes nothing");
    }

    @TestFactory
    @Rule("QP-2")
    List<DynamicTest> shouldRefuseStepWhenRequiredAttributeIsMissing() {
        return forEachStep((type, step) -> {
            QueuePairLink link = fresh(type);
            QueuePairStep.bring(link, step.from());
            for (QueuePairAttribute missing : step.required()) {
                Set<QueuePairAttribute> rest = EnumSet.copyOf(step.required());
                rest.remove(missing);
                expectRefused(link, step.to(), rest);
            }
        });
    }

    @TestFactory
    @Rule("QP-2")
    List<DynamicTest> shouldRefuseStepWhenAttributeDoesNotBelongToIt() {
        return forEachStep((type, step) -> {
            Set<QueuePairAttribute> foreign = EnumSet.copyOf(QueuePairStep.ATTRIBUTES);
            foreign.removeAll(step.required());
            foreign.removeAll(step.optional());
            QueuePairLink link = fresh(type);
            QueuePairStep.bring(link, step.from());
            for (QueuePairAttribute extra : foreign) {
                Set<QueuePairAttribute> all = EnumSet.of(extra);
                all.addAll(step.required());
                expectRefused(link, step.to(), all);
            }
        });
    }

    @TestFactory
    @Rule("QP-2")
    List<DynamicTest> shouldTakeEachOptionalAttribute() {
        return forEachStep((type, step) -> {
            for (QueuePairAttribute option : step.optional()) {
                QueuePairLink link = fresh(type);
                QueuePairStep.bring(link, step.from());
                Set<QueuePairAttribute> all = EnumSet.of(option);
                all.addAll(step.required());
                if (type == QueuePairType.UC
                        && step.from() == QueuePairState.SQD
                        && option == QueuePairAttribute.ADDRESS_VECTOR
                        && left().quirks().has(Deviation.ADDRESS_FIXED_IN_SQD)) {
                    expectRefused(link, step.to(), all);
                    continue;
                }
                link.left().qp().modify(QueuePairStep.change(link, step.to(), all));
                assertEquals(step.to(), link.left().state());
            }
        });
    }

    @Test
    @Rule("QP-3")
    void shouldRefuseStepWhenGivenCurrentStateIsNotTheCurrentOne() {
        QueuePairLink link = fresh();
        QueuePairStep.bring(link, QueuePairState.RTR);
        var change = QueuePairStep.change(link, QueuePairState.RTS, QueuePairStep.usual(QueuePairState.RTS))
                .currentState(QueuePairState.RTS);
        RefusedCall.with(
                Errno.EINVAL,
                "RTR to RTS as if from RTS",
                () -> link.left().qp().modify(change));
        assertEquals(QueuePairState.RTR, link.left().state());
    }

    @Test
    @Rule("QP-3")
    void shouldRefuseCurrentStateInInit() {
        QueuePairLink link = fresh();
        QueuePairStep.bring(link, QueuePairState.INIT);
        Set<QueuePairAttribute> all = EnumSet.copyOf(QueuePairStep.usual(QueuePairState.RTR));
        all.add(QueuePairAttribute.CURRENT_STATE);
        expectRefused(link, QueuePairState.RTR, all);
    }

    @Test
    @Rule("QP-6")
    void shouldDropReceivesWithoutCompletionWhenReset() {
        QueuePairLink link = fresh();
        LinkEnd left = link.left();
        left.toInit();
        var mr = left().memory(4096);
        left.receive(1, mr, 0, 64);
        left.receive(2, mr, 64, 64);
        left.to(QueuePairState.RESET);
        left.expectNoCompletion();
        link.connect();
        left.receive(3, mr, 128, 64);
        link.right().post(link.right().request(9).send().from(right().memory(64), 0, 64));
        left.received(3);
        link.right().sent(9);
    }

    @Test
    @Rule("QP-6")
    void shouldDropSendsWithoutCompletionWhenReset() {
        QueuePairLink link = link();
        LinkEnd left = link.left();
        var mr = left().memory(64);
        left.post(left.request(1).send().from(mr, 0, 64)); // waits: the peer has no receive
        left.post(left.request(2).send().from(mr, 0, 64));
        left.to(QueuePairState.RESET);
        left.expectNoCompletion();
        assertEquals(QueuePairState.RESET, left.state());
    }

    @Test
    @Rule("QP-6")
    void shouldKeepCompletionsThatAreThereWhenReset() {
        var channel = left().completionChannel();
        LinkEnd left = LinkEnd.withChannels(left(), LinkOptions.DEFAULT, 5, channel, null);
        LinkEnd right = LinkEnd.withChannels(right(), LinkOptions.DEFAULT, 6, null, null);
        new QueuePairLink(left, right, LinkOptions.DEFAULT).connect();
        left.sendCq().arm();
        var target = right().memory(64);
        left.post(left.request(1).write(target.remote()).from(left().memory(64), 0, 64));
        assertSame(left.sendCq(), channel.await(Deadline.PATIENCE), "the queue that fired");
        left.to(QueuePairState.RESET);
        left.sent(1);
        left.expectNoCompletion();
    }

    @Test
    @Rule("QP-6")
    void shouldConnectAgainWhenReset() {
        QueuePairLink link = link();
        byte[] pattern = Bytes.pattern(1, 3000);
        var source = left().memory(3000);
        var target = right().memory(3000);
        Bytes.put(source, 0, pattern);
        for (int round = 0; round < 3; round++) {
            target.memory().fill((byte) 0);
            link.left().post(link.left().request(round).write(target.remote()).from(source, 0, 3000));
            link.left().sent(round);
            Bytes.assertAt(target, 0, pattern);
            link.left().to(QueuePairState.RESET);
            link.right().to(QueuePairState.RESET);
            link.connect();
        }
    }

    @Test
    @Rule({"CM-21", "EV-9"})
    void shouldRaiseEventWhenDataArrivesInReadyToReceive() {
        QueuePairLink link = fresh();
        link.right().toInit();
        link.right().receiveEmpty(1);
        link.right().toRtr(link.left());
        link.left().connectTo(link.right());
        link.left().post(link.left().request(2).send().empty());
        link.left().sent(2);
        link.right().received(1);
        right().quirks().unlessKnown(Deviation.NO_COMMUNICATION_EVENT, () -> {
            AsyncEvent event =
                    right().context().asyncEvents().await(right().quirks().patience(Deviation.NO_COMMUNICATION_EVENT));
            assertNotNull(event, "an event for the first message");
            assertEquals(AsyncEventType.COMMUNICATION_ESTABLISHED, event.type());
            assertSame(link.right().qp(), event.source());
        });
    }

    @Test
    @Rule("QP-11")
    void shouldShowErrorStateWhenQueuePairFailedByItself() {
        QueuePairLink link = link(LinkOptions.DEFAULT.rnr(1, 0));
        link.left().post(link.left().request(1).send().from(left().memory(8), 0, 8));
        link.left().sent(1, CompletionStatus.RNR_RETRY_EXCEEDED);
        assertEquals(QueuePairState.ERR, link.left().state());
    }
}
