package io.verbena.conformance.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.verbena.conformance.Contract;
import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.Bytes;
import io.verbena.conformance.bench.Deadline;
import io.verbena.conformance.bench.End;
import io.verbena.conformance.bench.Link;
import io.verbena.conformance.bench.LinkOptions;
import io.verbena.conformance.bench.Quirks.Deviation;
import io.verbena.conformance.bench.Refused;
import io.verbena.verbs.AsyncEvent;
import io.verbena.verbs.Errno;
import io.verbena.verbs.attr.AsyncEventType;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairAttribute;
import io.verbena.verbs.attr.QueuePairAttributes;
import io.verbena.verbs.attr.QueuePairState;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// The states of a reliable connection and the steps between them.
public abstract class QueuePairStateContract extends Contract {
    protected QueuePairStateContract() {}

    private Link fresh() {
        return bench().unconnected(LinkOptions.DEFAULT);
    }

    @Test
    @Rule("QP-1")
    void shouldStartInReset() {
        assertEquals(QueuePairState.RESET, fresh().left().state());
    }

    @TestFactory
    @Rule("QP-1")
    List<DynamicTest> shouldTakeEveryLegalStep() {
        return Step.LEGAL.stream()
                .map(step -> dynamicTest(step.toString(), () -> {
                    Link link = fresh();
                    Step.bring(link, step.from());
                    link.left().qp().modify(Step.change(link, step.to(), step.required()));
                    assertEquals(step.to(), link.left().state());
                    assertEquals(step.to(), link.left().qp().state());
                }))
                .toList();
    }

    @TestFactory
    @Rule("QP-1")
    List<DynamicTest> shouldRefuseEveryOtherStep() {
        List<DynamicTest> tests = new ArrayList<>();
        for (QueuePairState from : Step.STATES) {
            for (QueuePairState to : QueuePairState.values()) {
                if (!Step.isLegal(from, to)) {
                    tests.add(dynamicTest(from + " to " + to, () -> {
                        Link link = fresh();
                        Step.bring(link, from);
                        expectRefused(link, to, Step.usual(to));
                    }));
                }
            }
        }
        return tests;
    }

    private void expectRefused(Link link, QueuePairState to, Set<QueuePairAttribute> attributes) {
        QueuePairAttributes before = link.left().qp().query();
        Refused.with(
                Errno.EINVAL,
                before.state() + " to " + to + " with " + attributes,
                () -> link.left().qp().modify(Step.change(link, to, attributes)));
        assertEquals(before, link.left().qp().query(), "a refused step changes nothing");
    }

    @TestFactory
    @Rule("QP-2")
    List<DynamicTest> shouldRefuseStepWhenRequiredAttributeIsMissing() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Step step : Step.LEGAL) {
            for (QueuePairAttribute missing : step.required()) {
                tests.add(dynamicTest(step + " without " + missing, () -> {
                    Link link = fresh();
                    Step.bring(link, step.from());
                    Set<QueuePairAttribute> rest = EnumSet.copyOf(step.required());
                    rest.remove(missing);
                    expectRefused(link, step.to(), rest);
                }));
            }
        }
        return tests;
    }

    @TestFactory
    @Rule("QP-2")
    List<DynamicTest> shouldRefuseStepWhenAttributeDoesNotBelongToIt() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Step step : Step.LEGAL) {
            tests.add(dynamicTest(step.toString(), () -> {
                Set<QueuePairAttribute> foreign = EnumSet.copyOf(Step.ATTRIBUTES);
                foreign.removeAll(step.required());
                foreign.removeAll(step.optional());
                Link link = fresh();
                Step.bring(link, step.from());
                for (QueuePairAttribute extra : foreign) {
                    Set<QueuePairAttribute> all = EnumSet.of(extra);
                    all.addAll(step.required());
                    expectRefused(link, step.to(), all);
                }
            }));
        }
        return tests;
    }

    @TestFactory
    @Rule("QP-2")
    List<DynamicTest> shouldTakeEachOptionalAttribute() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Step step : Step.LEGAL) {
            for (QueuePairAttribute option : step.optional()) {
                tests.add(dynamicTest(step + " with " + option, () -> {
                    Link link = fresh();
                    Step.bring(link, step.from());
                    Set<QueuePairAttribute> all = EnumSet.of(option);
                    all.addAll(step.required());
                    link.left().qp().modify(Step.change(link, step.to(), all));
                    assertEquals(step.to(), link.left().state());
                }));
            }
        }
        return tests;
    }

    @Test
    @Rule("QP-3")
    void shouldRefuseStepWhenGivenCurrentStateIsNotTheCurrentOne() {
        Link link = fresh();
        Step.bring(link, QueuePairState.RTR);
        var change = Step.change(link, QueuePairState.RTS, Step.usual(QueuePairState.RTS))
                .currentState(QueuePairState.RTS);
        Refused.with(
                Errno.EINVAL,
                "RTR to RTS as if from RTS",
                () -> link.left().qp().modify(change));
        assertEquals(QueuePairState.RTR, link.left().state());
    }

    @Test
    @Rule("QP-3")
    void shouldRefuseCurrentStateInInit() {
        Link link = fresh();
        Step.bring(link, QueuePairState.INIT);
        Set<QueuePairAttribute> all = EnumSet.copyOf(Step.usual(QueuePairState.RTR));
        all.add(QueuePairAttribute.CURRENT_STATE);
        expectRefused(link, QueuePairState.RTR, all);
    }

    @Test
    @Rule("QP-6")
    void shouldDropReceivesWithoutCompletionWhenReset() {
        Link link = fresh();
        End left = link.left();
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
        Link link = link();
        End left = link.left();
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
        End left = End.withChannels(left(), LinkOptions.DEFAULT, 5, channel, null);
        End right = End.withChannels(right(), LinkOptions.DEFAULT, 6, null, null);
        new Link(left, right, LinkOptions.DEFAULT).connect();
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
        Link link = link();
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
        Link link = fresh();
        link.right().toInit();
        link.right().receiveEmpty(1);
        link.right().toRtr(link.left());
        link.left().connectTo(link.right());
        link.left().post(link.left().request(2).send().empty());
        link.left().sent(2);
        link.right().received(1);
        right().quirks().skipWhen(Deviation.NO_COMMUNICATION_EVENT);
        AsyncEvent event = right().context().asyncEvents().await(Deadline.PATIENCE);
        assertNotNull(event, "an event for the first message");
        assertEquals(AsyncEventType.COMMUNICATION_ESTABLISHED, event.type());
        assertSame(link.right().qp(), event.source());
    }

    @Test
    @Rule("QP-11")
    void shouldShowErrorStateWhenQueuePairFailedByItself() {
        Link link = link(LinkOptions.DEFAULT.rnr(1, 0));
        link.left().post(link.left().request(1).send().from(left().memory(8), 0, 8));
        link.left().sent(1, CompletionStatus.RNR_RETRY_EXCEEDED);
        assertEquals(QueuePairState.ERR, link.left().state());
    }
}
