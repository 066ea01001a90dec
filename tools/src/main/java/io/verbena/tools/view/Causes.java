package io.verbena.tools.view;

import io.verbena.roce.packet.Psn;
import io.verbena.roce.packet.Syndrome;
import io.verbena.verbs.attr.CompletionStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/// The events that led to something, each with why it matters.
record Causes(Conversation conversation, Reasons reasons) {
    private static final int BEFORE = 3;
    private static final String DISCONNECTED = "RDMA_CM_EVENT_DISCONNECTED";
    private static final Set<String> ENDS =
            Set.of("rdma_disconnect", DISCONNECTED, "ibv_destroy_qp", "rdma_destroy_qp");

    static Finding.Step step(ViewEvent event, String why) {
        return new Finding.Step(event, why);
    }

    private static List<Finding.Step> ordered(List<Finding.Step> steps) {
        return steps.stream()
                .filter(step -> step.event() != null)
                .distinct()
                .sorted(Comparator.comparingInt(step -> step.event().index))
                .toList();
    }

    /// What led to a failed completion.
    List<Finding.Step> of(ViewEvent completion, Reason reason) {
        List<Finding.Step> steps = new ArrayList<>();
        RequestFlow flow = completion.flow;
        if (flow != null && flow.post != null) {
            String rkey = completion.status.equals(CompletionStatus.REMOTE_ACCESS_ERROR.name())
                    ? flow.post.step.string("rkey")
                    : "";
            steps.add(step(flow.post, posted(flow.post) + (rkey.isEmpty() ? "" : " with rkey " + rkey)));
            onWire(flow, steps);
            steps.addAll(reason.steps());
            flow.events.stream()
                    .filter(event -> event.isRecorded() && event.recorded.is("soft.ErrorCompletion"))
                    .forEach(error -> steps.addAll(RecordedCauses.of(conversation, error)));
        }
        steps.add(
                step(completion, "the " + completion.sideName() + " polls its completion, which says that it failed"));
        return ordered(steps);
    }

    /// What was sent again without an answer between is one step.
    private void onWire(RequestFlow flow, List<Finding.Step> steps) {
        int firstPsn = firstPsn(flow);
        int tries = 0;
        List<ViewEvent> again = new ArrayList<>();
        for (ViewEvent event : flow.events) {
            if (event.isPacket() && event.packet.isNak()) {
                sentAgain(again, tries, steps);
                steps.add(step(event, answer(event)));
            } else if (event.isPacket() && event.packet.isRequest() && event.packet.psn() == firstPsn) {
                tries++;
                if (tries == 1) {
                    steps.add(step(event, "sent for the first time"));
                } else {
                    again.add(event);
                }
            }
        }
        sentAgain(again, tries, steps);
    }

    private void sentAgain(List<ViewEvent> again, int tries, List<Finding.Step> steps) {
        if (!again.isEmpty()) {
            steps.add(step(
                    again.getFirst(),
                    again.size() == 1
                            ? "sent again, try " + tries
                            : "sent again %d times without an answer, the last time at %s"
                                    .formatted(again.size(), conversation.time(again.getLast()))));
            again.clear();
        }
    }

    private static int firstPsn(RequestFlow flow) {
        return flow.events.stream()
                .filter(event -> event.isPacket() && event.packet.isRequest())
                .findFirst()
                .map(event -> event.packet.psn())
                .orElse(-1);
    }

    private static String answer(ViewEvent nak) {
        String receiver = "the " + (nak.side == null ? "receiver" : nak.sideName());
        if (isSequenceNak(nak)) {
            return receiver + " asks for PSN " + nak.packet.psn();
        }
        return nak.name.equals("RNR NAK")
                ? receiver + " is not ready (RNR), and asks to wait " + nak.packet.wait(nak.packet.syndrome())
                : receiver + " refuses it";
    }

    static boolean isSequenceNak(ViewEvent nak) {
        return nak.packet.syndrome() == Syndrome.NAK_PSN_SEQUENCE;
    }

    /// Whether one side had disconnected: then requests are flushed as they should be. A program may take the event
    /// that tells of it behind the flushed requests.
    boolean wasDisconnected(ViewEvent flushed) {
        return conversation.sources().stream()
                .filter(Source::isTrace)
                .flatMap(source -> source.events().stream())
                .filter(event -> conversation.isSameConnection(event, flushed))
                .anyMatch(event -> event.name.equals(DISCONNECTED) && event.side == flushed.side
                        || event.index < flushed.index && isEnd(event, flushed));
    }

    private static boolean isEnd(ViewEvent event, ViewEvent flushed) {
        boolean isOwnError = event.side == flushed.side
                && event.isCall("ibv_modify_qp")
                && event.step.string("state").equals("ERR");
        return isOwnError || ENDS.contains(event.name);
    }

    /// The event, and the last ones of its program before it.
    List<Finding.Step> before(ViewEvent event) {
        List<ViewEvent> own = conversation.sources().get(event.source).events();
        int at = event.step.index();
        List<Finding.Step> steps = new ArrayList<>();
        for (int i = Math.max(0, at - BEFORE); i < at; i++) {
            steps.add(step(own.get(i), "before it"));
        }
        steps.add(step(event, "this"));
        return ordered(steps);
    }

    /// What the receiver asked for.
    static String asked(PacketStream stream) {
        var numbers = new PsnNumbers();
        stream.naks.stream()
                .filter(Causes::isSequenceNak)
                .forEach(nak -> numbers.add(nak.packet.psn(), nak.packet.psn()));
        return numbers.toString();
    }

    /// Packets that were sent again one behind the other, without a NAK between them, are one step.
    private static void runs(PacketStream stream, List<Finding.Step> steps) {
        ViewEvent first = null;
        int psn = -1;
        int naks = 0;
        var numbers = new PsnNumbers();
        for (ViewEvent event : stream.repeated) {
            int before = naks;
            while (naks < stream.naks.size() && stream.naks.get(naks).index < event.index) {
                naks++;
            }
            if (first != null && (event.packet.psn() != Psn.next(psn) || naks > before)) {
                steps.add(step(first, again(numbers)));
                numbers = new PsnNumbers();
                first = null;
            }
            psn = event.packet.psn();
            first = first == null ? event : first;
            numbers.add(psn, psn);
        }
        if (first != null) {
            steps.add(step(first, again(numbers)));
        }
    }

    private static String again(PsnNumbers numbers) {
        return "sent again from here: " + numbers + (numbers.count() == 1 ? "" : ", " + numbers.count() + " packets");
    }

    private static void ends(PacketStream stream, List<Finding.Step> steps) {
        for (RequestFlow flow : PacketFindings.repeated(stream)) {
            boolean isSuccess = flow.completion.status.equals("SUCCESS");
            steps.add(step(flow.post, posted(flow.post)));
            steps.add(step(
                    flow.completion,
                    isSuccess ? "succeeded late: " + PacketFindings.lateness(flow) : "the request failed"));
        }
    }

    List<Finding.Step> ofRepetition(PacketStream stream) {
        return ofRepetition(stream, new ArrayList<>());
    }

    private static List<Finding.Step> ofRepetition(PacketStream stream, List<Finding.Step> steps) {
        runs(stream, steps);
        stream.naks.forEach(nak -> steps.add(step(nak, answer(nak))));
        ends(stream, steps);
        return ordered(steps);
    }

    List<Finding.Step> ofLoss(PacketStream stream) {
        List<Finding.Step> steps = new ArrayList<>();
        stream.lost.forEach(gap -> steps.add(step(
                gap.event, gap + " before this packet" + (gap.isOfKnown ? ": lost when they were sent again" : ""))));
        return ofRepetition(stream, steps);
    }

    List<Finding.Step> ofAbsence(PacketStream stream) {
        return ordered(stream.absent.stream()
                .map(gap -> step(gap.event, gap + " before this packet"))
                .toList());
    }

    List<Finding.Step> ofNak(List<ViewEvent> naks) {
        ViewEvent first = naks.getFirst();
        List<Finding.Step> steps = new ArrayList<>();
        if (first.flow != null) {
            onWire(first.flow, steps);
            if (first.flow.post != null) {
                steps.add(step(first.flow.post, posted(first.flow.post)));
                if (first.status.equals("RNR NAK")) {
                    steps.addAll(reasons.ofNoReceive(first.flow.post).steps());
                }
            }
        }
        naks.forEach(nak -> steps.add(step(nak, answer(nak))));
        if (first.flow != null && first.flow.completion != null) {
            steps.add(step(first.flow.completion, "how the request ended"));
        }
        return ordered(steps);
    }

    /// A receive that was polled before the completion of the request, although the peer sent it because of the
    /// request; null when there is none.
    ViewEvent answerBefore(RequestFlow flow) {
        ViewEvent end = flow.completion;
        List<ViewEvent> peer = conversation.trace(flow.received.side).events();
        for (int i = flow.received.step.index() + 1; i < peer.size(); i++) {
            ViewEvent answer = peer.get(i);
            if (end != null && answer.timeNs > end.timeNs) {
                return null;
            }
            if (answer.isPostSend() && answer.qp == flow.received.qp) {
                ViewEvent polled = answer.flow.received;
                boolean isBefore = polled != null && (end == null || polled.step.index() < end.step.index());
                return isBefore ? polled : null;
            }
        }
        return null;
    }

    List<Finding.Step> ofOvertaking(RequestFlow flow, ViewEvent answer) {
        List<Finding.Step> steps = new ArrayList<>();
        String side = flow.post.sideName();
        String peer = flow.received.sideName();
        String request = requestName(flow.post);
        steps.add(step(flow.post, posted(flow.post)));
        steps.add(step(flow.received, "the " + peer + " gets it"));
        steps.add(step(answer.flow.post, "the " + peer + " answers"));
        steps.add(step(
                answer,
                "the first completion that the %s polls is that of the answer, %s"
                        .formatted(side, requestName(answer))));
        steps.add(
                flow.completion == null
                        ? step(lastOf(flow.post), "the trace ends: the completion of " + request + " was not polled")
                        : step(flow.completion, "only then does it poll the completion of " + request));
        return ordered(steps);
    }

    private static String posted(ViewEvent post) {
        return "the " + post.sideName() + " posts " + requestName(post);
    }

    /// `SEND wr_id 1`
    private static String requestName(ViewEvent event) {
        return event.operation.replace('_', ' ') + " wr_id " + event.wrId();
    }

    private ViewEvent lastOf(ViewEvent event) {
        return conversation.sources().get(event.source).events().getLast();
    }

    List<Finding.Step> ofUnfinished(ViewEvent post) {
        List<Finding.Step> steps = new ArrayList<>();
        steps.add(step(post, posted(post)));
        if (post.flow.acknowledged != null) {
            steps.add(step(post.flow.acknowledged, "acknowledged on the wire"));
        }
        steps.add(step(post.flow.received, "the peer gets it"));
        post.flow.events.stream()
                .filter(event -> event.level.compareTo(Level.WARNING) >= 0)
                .limit(3)
                .forEach(event -> steps.add(step(event, event.note)));
        steps.add(step(lastOf(post), "the end of the trace"));
        return ordered(steps.stream().filter(Objects::nonNull).toList());
    }
}
