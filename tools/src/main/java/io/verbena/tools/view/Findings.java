package io.verbena.tools.view;

import static io.verbena.tools.view.Finding.fact;

import io.verbena.tools.recording.Side;
import io.verbena.verbs.attr.CompletionStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Looks through a conversation for what went wrong, and marks the events.
final class Findings {
    private static final Set<String> BAD_EVENTS = Set.of(
            "RDMA_CM_EVENT_REJECTED",
            "RDMA_CM_EVENT_UNREACHABLE",
            "RDMA_CM_EVENT_CONNECT_ERROR",
            "RDMA_CM_EVENT_ADDR_ERROR",
            "RDMA_CM_EVENT_ROUTE_ERROR",
            "RDMA_CM_EVENT_DEVICE_REMOVAL");

    private final Conversation conversation;
    private final Reasons reasons;
    private final Causes causes;
    private final List<Finding> found = new ArrayList<>();
    /// Requests whose answer was polled before their completion.
    private final Set<ViewEvent> overtaken = new HashSet<>();

    private Findings(Conversation conversation) {
        this.conversation = conversation;
        reasons = new Reasons(conversation);
        causes = new Causes(conversation, reasons);
    }

    /// The worst first, then in the order of time.
    static List<Finding> of(Conversation conversation) {
        var findings = new Findings(conversation);
        findings.found.addAll(FailedRequests.of(conversation, findings.reasons, findings.causes));
        findings.calls();
        findings.found.addAll(PacketFindings.of(conversation, findings.causes));
        findings.overtaken();
        findings.ends();
        findings.found.addAll(RecordedFindings.of(conversation));
        findings.found.sort(Comparator.comparing(Finding::level)
                .reversed()
                .thenComparing(finding -> finding.event().isPacket())
                .thenComparingInt(finding -> finding.event().index));
        return findings.found;
    }

    static CompletionStatus status(String name) {
        for (CompletionStatus status : CompletionStatus.values()) {
            if (status.name().equals(name)) {
                return status;
            }
        }
        return CompletionStatus.GENERAL;
    }

    static String sentence(String words) {
        return words.isEmpty() || words.endsWith(".") ? capital(words) : capital(words) + ".";
    }

    static String capital(String words) {
        return words.isEmpty() ? "" : words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }

    private void calls() {
        for (ViewEvent event : conversation.events()) {
            boolean isBadEvent = event.kind == EventKind.EVENT
                    && (BAD_EVENTS.contains(event.name) || event.step.details().containsKey("status"));
            if (event.kind == EventKind.FAILURE || isBadEvent) {
                event.mark(Level.ERROR, event.text);
                String what = event.kind == EventKind.FAILURE ? " was refused" : "";
                found.add(Finding.of(Level.ERROR, event.name + what, event.text, event, causes.before(event)));
            }
        }
    }

    /// The answer to a message was polled before the completion of the message: two requests of one queue pair, of
    /// which the later one was seen first.
    private void overtaken() {
        Set<String> told = new HashSet<>();
        for (RequestFlow flow : conversation.flows()) {
            if (flow.post == null || flow.received == null || !flow.post.isSignaled()) {
                continue;
            }
            ViewEvent answer = causes.answerBefore(flow);
            if (answer == null) {
                continue;
            }
            boolean isPolled = flow.completion != null;
            Level level = isPolled ? Level.NOTABLE : Level.WARNING;
            answer.mark(level, "This answer was polled before the completion of the request that it answers.");
            overtaken.add(flow.post);
            if (told.add(flow.post.side + " " + flow.post.qp + " " + isPolled)) {
                found.add(overtaking(level, flow, answer));
            }
        }
    }

    private Finding overtaking(Level level, RequestFlow flow, ViewEvent answer) {
        ViewEvent post = flow.post;
        String operation = post.operation.replace('_', ' ');
        boolean isPolled = flow.completion != null;
        return new Finding(
                level,
                (isPolled
                                ? "The %s polled the completion of the answer before that of its %s"
                                : "The %s took the wrong completion: it polled that of the answer, and never that of its %s")
                        .formatted(post.sideName(), operation),
                facts(
                        List.of(
                                fact(
                                        "request",
                                        conversation.requestWords(post) + ", posted at " + conversation.time(post)),
                                fact(
                                        "polled first",
                                        "%s, wr_id %d, at %s: the answer of the %s"
                                                .formatted(
                                                        answer.operation.replace('_', ' '),
                                                        answer.wrId(),
                                                        conversation.time(answer),
                                                        flow.received.sideName())),
                                fact(
                                        "its completion",
                                        isPolled
                                                ? "polled at " + conversation.time(flow.completion)
                                                : "never polled until the end of the trace")),
                        flow),
                "Sends and receives complete independently: an answer may be there before the acknowledgement of what"
                        + " it answers. A program that takes the next completion for that of its " + operation
                        + " mistakes one for the other, and then misses one.",
                "Wait until both completions are there, and look at wr_id and opcode of each before you use it.",
                answer,
                causes.ofOvertaking(flow, answer));
    }

    /// With how often it went well before.
    private List<Finding.Fact> facts(List<Finding.Fact> facts, RequestFlow overtaken) {
        long before = conversation.flows().stream()
                .filter(flow -> flow.post != null && flow.completion != null && flow.received != null)
                .filter(flow -> flow.post.side == overtaken.post.side && flow.post.qp == overtaken.post.qp)
                .filter(flow -> flow.post.isSignaled() && flow.post.index < overtaken.post.index)
                .filter(flow -> causes.answerBefore(flow) == null)
                .count();
        if (before == 0) {
            return facts;
        }
        List<Finding.Fact> all = new ArrayList<>(facts);
        all.add(fact(
                "before that",
                PacketFindings.count(before, "request", "requests")
                        + " completed in the expected order: the order is chance"));
        return all;
    }

    private void ends() {
        for (Side side : Side.values()) {
            Requests requests = conversation.requests(side);
            if (requests == null) {
                continue;
            }
            List<ViewEvent> unfinished = requests.unfinished();
            unfinished.forEach(post ->
                    post.mark(Level.WARNING, "No completion of this request was polled until the end of the trace."));
            // of the others an answer tells
            unfinished.removeIf(overtaken::contains);
            if (!unfinished.isEmpty()) {
                found.add(unfinished(unfinished));
            }
        }
        for (ViewEvent last : conversation.openEnds()) {
            last.mark(Level.WARNING, "The trace ends here, while the program is connected.");
            if (!isTold(last)) {
                found.add(endsConnected(last));
            }
        }
    }

    /// Whether a failure names it as part of its cause: then it is no second finding.
    private boolean isTold(ViewEvent event) {
        return found.stream()
                .filter(finding -> finding.level() == Level.ERROR)
                .anyMatch(finding -> finding.steps().stream().anyMatch(step -> step.event() == event));
    }

    private Finding unfinished(List<ViewEvent> posts) {
        ViewEvent first = posts.getFirst();
        return new Finding(
                Level.WARNING,
                "The %s polled no completion of %s"
                        .formatted(
                                first.sideName(), PacketFindings.count(posts.size(), "send request", "send requests")),
                List.of(
                        fact("first request", conversation.requestWords(first)),
                        fact("without completion", FailedRequests.numbers(posts))),
                "When the trace ends, the program has posted these requests and polled no completion of them. The peer"
                        + " does not answer, the program did not poll, or it took a completion for another one.",
                "Poll until all completions have come, and look at wr_id and opcode of each.",
                first,
                causes.ofUnfinished(first));
    }

    private Finding endsConnected(ViewEvent last) {
        return new Finding(
                Level.WARNING,
                "The trace of the " + last.sideName() + " ends while it is connected",
                List.of(fact("its last call", last.name + " at " + conversation.time(last))),
                "It neither disconnects nor destroys its queue pair: the program was killed, crashed, or was still"
                        + " running when the file was read.",
                "",
                last,
                List.of(new Finding.Step(last, "the last call in its trace; its device may have answered later")));
    }
}
