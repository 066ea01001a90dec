package io.verbena.conformance.bench;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.verbena.verbs.attr.CompletionStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// The known deviations of a device from the rules: tests state the rule, and accept the deviation where it is listed.
public final class Quirks {
    /// Deviations other than a completion status.
    public enum Deviation {
        NO_ACCESS_EVENT("no QP_ACCESS_ERROR event when a peer violates protection"),
        SEND_ERRORS_NOT_SOLICITED("failed sends do not fire a queue armed for solicited events"),
        INVALIDATED_KEY_NOT_TOLD("a receive does not tell which key a SEND revoked, though it is revoked"),
        WINDOW_RANGE_NOT_CHECKED("through a memory window peers reach all of its region"),
        SLOT_FREE_BEFORE_POLL("the slot of a signaled send is free once the send ended, polled or not"),
        RECEIVE_IN_ERROR_NOT_FLUSHED("a receive posted in ERR is never flushed: the kernel is not told of it"),
        NO_COMMUNICATION_EVENT("no COMMUNICATION_ESTABLISHED event for data that arrives in RTR"),
        INCOMING_READS_NOT_LIMITED("more incoming reads than the device states are taken"),
        SQD_DOES_NOT_DRAIN("in SQD a message under way is not sent again, and no SEND_QUEUE_DRAINED event comes"),
        LEAVES_SQD_WHILE_DRAINING("SQD can be left for RTS while a message is under way"),
        SEQUENCE_NAK_AFTER_RNR(
                "packets behind a SEND that met no receive are answered with a NAK, which costs a retry"),
        FENCE_CAN_STALL("a fenced request can miss that the READ before it ended, and start only with the next post"),
        FLUSHED_RECEIVES_NOT_SOLICITED("flushed receives do not fire a queue armed for solicited events"),
        RTS_AFTER_SQD_STARTS_NOTHING("requests posted in SQD start after RTS only with the next post"),
        CONTROLLED_QKEY_SENT_AS_IT_IS("a datagram with a controlled queue key carries it, not the queue pair's own"),
        DATAGRAM_TOO_LONG_FAILS_RECEIVER("a datagram that its receive cannot hold fails the receiving queue pair"),
        MULTICAST_NEEDS_HOST_IN_GROUP("attaching to a group does not make the host a member of it, as joining does"),
        ADDRESS_FIXED_IN_SQD("the address of an unreliable connection cannot be changed in SQD"),
        REFUSED_RESIZE_BREAKS_QUEUE(
                "a shared receive queue that cannot shrink to the size asked for loses its memory: the kernel fails"),
        WRONG_REVOCATION_ACKNOWLEDGED("a SEND that revokes what cannot be revoked is acknowledged"),
        REVOKES_ON_RELIABLE_ONLY("keys cannot be revoked by a request of an unreliable connection"),
        NO_SEND_QUEUE_ERROR("an unreliable queue pair whose send failed goes to ERR, not to SQE"),
        NO_LAST_REQUEST_EVENT("no LAST_WORK_REQUEST_REACHED event for a queue pair with a shared receive queue");

        private final String text;

        Deviation(String text) {
            this.text = text;
        }

        /// The deviation in words.
        public String text() {
            return text;
        }
    }

    /// Nothing.
    public static final Quirks NONE = new Quirks();

    /// The soft RoCE driver of Linux 6.1.
    public static final Quirks RXE = new Quirks()
            .requester(Violation.SEND_BUFFER_KEY, CompletionStatus.LOCAL_QP_OPERATION_ERROR)
            .requester(Violation.RECEIVE_TOO_SMALL, CompletionStatus.REMOTE_OPERATION_ERROR)
            .responder(Violation.RECEIVE_TOO_SMALL, CompletionStatus.LOCAL_QP_OPERATION_ERROR)
            .responder(Violation.RECEIVE_BUFFER, CompletionStatus.LOCAL_QP_OPERATION_ERROR)
            .with(Deviation.NO_ACCESS_EVENT)
            .with(Deviation.SEND_ERRORS_NOT_SOLICITED)
            .with(Deviation.INVALIDATED_KEY_NOT_TOLD)
            .with(Deviation.WINDOW_RANGE_NOT_CHECKED)
            .with(Deviation.SLOT_FREE_BEFORE_POLL)
            .with(Deviation.RECEIVE_IN_ERROR_NOT_FLUSHED)
            .with(Deviation.NO_COMMUNICATION_EVENT)
            .with(Deviation.INCOMING_READS_NOT_LIMITED)
            .with(Deviation.SEQUENCE_NAK_AFTER_RNR)
            .with(Deviation.FENCE_CAN_STALL)
            .with(Deviation.SQD_DOES_NOT_DRAIN)
            .with(Deviation.LEAVES_SQD_WHILE_DRAINING)
            .with(Deviation.RTS_AFTER_SQD_STARTS_NOTHING)
            .with(Deviation.CONTROLLED_QKEY_SENT_AS_IT_IS)
            .with(Deviation.MULTICAST_NEEDS_HOST_IN_GROUP)
            .with(Deviation.NO_LAST_REQUEST_EVENT)
            .with(Deviation.NO_SEND_QUEUE_ERROR)
            .with(Deviation.REVOKES_ON_RELIABLE_ONLY)
            .with(Deviation.WRONG_REVOCATION_ACKNOWLEDGED)
            .with(Deviation.DATAGRAM_TOO_LONG_FAILS_RECEIVER)
            .with(Deviation.ADDRESS_FIXED_IN_SQD)
            .with(Deviation.REFUSED_RESIZE_BREAKS_QUEUE);

    /// The soft RoCE driver of Linux 6.12: a request with a wrong buffer or window is flushed like those behind it.
    public static final Quirks RXE_6_12 = RXE.requester(
                    Violation.SEND_BUFFER_KEY, CompletionStatus.WORK_REQUEST_FLUSHED)
            .requester(Violation.SEND_BUFFER_RANGE, CompletionStatus.WORK_REQUEST_FLUSHED)
            .requester(Violation.WINDOW_BINDING, CompletionStatus.WORK_REQUEST_FLUSHED)
            .requester(Violation.LOCAL_INVALIDATION, CompletionStatus.WORK_REQUEST_FLUSHED)
            .with(Deviation.FLUSHED_RECEIVES_NOT_SOLICITED)
            .without(Deviation.DATAGRAM_TOO_LONG_FAILS_RECEIVER)
            .without(Deviation.NO_LAST_REQUEST_EVENT);

    private final Map<Violation, Set<CompletionStatus>> requester = new EnumMap<>(Violation.class);
    private final Map<Violation, Set<CompletionStatus>> responder = new EnumMap<>(Violation.class);
    private final Set<Deviation> deviations = EnumSet.noneOf(Deviation.class);

    private Quirks() {}

    private Quirks copy() {
        Quirks copy = new Quirks();
        requester.forEach((violation, statuses) -> copy.requester.put(violation, EnumSet.copyOf(statuses)));
        responder.forEach((violation, statuses) -> copy.responder.put(violation, EnumSet.copyOf(statuses)));
        copy.deviations.addAll(deviations);
        return copy;
    }

    /// These, and a status that the requester may see as well.
    public Quirks requester(Violation violation, CompletionStatus status) {
        Quirks copy = copy();
        copy.requester
                .computeIfAbsent(violation, v -> EnumSet.noneOf(CompletionStatus.class))
                .add(status);
        return copy;
    }

    public Quirks responder(Violation violation, CompletionStatus status) {
        Quirks copy = copy();
        copy.responder
                .computeIfAbsent(violation, v -> EnumSet.noneOf(CompletionStatus.class))
                .add(status);
        return copy;
    }

    public Quirks with(Deviation deviation) {
        Quirks copy = copy();
        copy.deviations.add(deviation);
        return copy;
    }

    /// These without one that was fixed.
    public Quirks without(Deviation deviation) {
        Quirks copy = copy();
        copy.deviations.remove(deviation);
        return copy;
    }

    /// These and those of the other, for what both devices do together.
    public Quirks and(Quirks other) {
        Quirks both = copy();
        other.requester.forEach((violation, statuses) -> both.requester
                .computeIfAbsent(violation, v -> EnumSet.noneOf(CompletionStatus.class))
                .addAll(statuses));
        other.responder.forEach((violation, statuses) -> both.responder
                .computeIfAbsent(violation, v -> EnumSet.noneOf(CompletionStatus.class))
                .addAll(statuses));
        both.deviations.addAll(other.deviations);
        return both;
    }

    public boolean has(Deviation deviation) {
        return deviations.contains(deviation);
    }

    public boolean acceptsRequester(Violation violation, CompletionStatus status) {
        return status == violation.requester()
                || requester.getOrDefault(violation, Set.of()).contains(status);
    }

    public boolean acceptsResponder(Violation violation, CompletionStatus status) {
        return status == violation.responder()
                || responder.getOrDefault(violation, Set.of()).contains(status);
    }

    /// Skips the rest of a test whose rule is not kept here, with that reason.
    public void skipWhen(Deviation deviation) {
        assumeFalse(has(deviation), () -> "known difference: " + deviation);
    }

    /// Checks a rule. Where it is known not to be kept, the check must fail, so that a device that was fixed is
    /// noticed; the test is skipped then, with that reason.
    public void unlessKnown(Deviation deviation, Runnable check) {
        if (!has(deviation)) {
            check.run();
            return;
        }
        try {
            check.run();
        } catch (AssertionError known) {
            skipWhen(deviation);
        }
        fail("the rule is kept now: " + deviation + " is to be taken from the list of differences");
    }

    /// How long to wait for what never comes where that difference is known.
    public Duration patience(Deviation deviation) {
        return has(deviation) ? Duration.ofMillis(100) : Deadline.PATIENCE;
    }

    /// One line for each difference.
    public List<String> describe() {
        List<String> lines = new ArrayList<>();
        requester.forEach((violation, statuses) -> lines.add("%s ends the request with %s too, not only %s"
                .formatted(violation, names(statuses), violation.requester().name())));
        responder.forEach((violation, statuses) -> lines.add("%s ends the receive with %s too, not only %s"
                .formatted(violation, names(statuses), violation.responder().name())));
        deviations.forEach(deviation -> lines.add(deviation + ": " + deviation.text()));
        return lines;
    }

    private static String names(Set<CompletionStatus> statuses) {
        return statuses.stream().map(CompletionStatus::name).collect(Collectors.joining(" or "));
    }
}
