package io.verbena.tools.view;

import static io.verbena.tools.view.Finding.fact;

import io.verbena.verbs.attr.CompletionStatus;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// What failed completions tell: one finding for each cause, however many queue pairs failed because of it.
final class FailedRequests {
    private static final String FLUSHED = CompletionStatus.WORK_REQUEST_FLUSHED.name();
    private static final int MOST_NUMBERS = 4;

    /// Why requests failed, and the first one of each queue pair.
    private record Cause(CompletionStatus status, Reason reason, List<ViewEvent> firsts) {}

    private final Conversation conversation;
    private final Reasons reasons;
    private final Causes causes;
    private final List<Finding> found = new ArrayList<>();
    /// By queue pair.
    private final Map<String, List<ViewEvent>> flushed = new LinkedHashMap<>();

    private FailedRequests(Conversation conversation, Reasons reasons, Causes causes) {
        this.conversation = conversation;
        this.reasons = reasons;
        this.causes = causes;
    }

    static List<Finding> of(Conversation conversation, Reasons reasons, Causes causes) {
        var requests = new FailedRequests(conversation, reasons, causes);
        requests.find();
        return requests.found;
    }

    private static String queuePair(ViewEvent event) {
        return event.side + " " + event.qp;
    }

    private void find() {
        Set<String> failed = new HashSet<>();
        Set<String> told = new HashSet<>();
        Map<String, Cause> all = new LinkedHashMap<>();
        for (ViewEvent event : conversation.events()) {
            if (!event.isCompletion() || event.status.equals("SUCCESS") || event.status.isEmpty()) {
                continue;
            }
            if (event.status.equals(FLUSHED)) {
                flushed.computeIfAbsent(queuePair(event), _ -> new ArrayList<>())
                        .add(event);
                continue;
            }
            failed.add(queuePair(event));
            CompletionStatus status = Findings.status(event.status);
            if (!told.add(queuePair(event) + " " + status)) {
                event.mark(Level.ERROR, Findings.sentence(status.explain()));
                continue;
            }
            Reason reason = reasons.of(event, status);
            // Without a reason of its own, each queue pair may have another one.
            String key =
                    event.side + " " + status + reason.brief() + (reason.brief().isEmpty() ? event.qp : "");
            Cause cause = all.computeIfAbsent(key, _ -> new Cause(status, reason, new ArrayList<>()));
            cause.firsts.add(event);
            event.mark(Level.ERROR, Findings.sentence(title(event, cause)) + " " + reason.explanation());
        }
        all.values().forEach(this::tell);
        flushed.forEach((queuePair, events) -> tellFlushed(events, failed.contains(queuePair)));
    }

    private static String title(ViewEvent event, Cause cause) {
        String operation = event.operation.isEmpty() ? "request" : event.operation.replace('_', ' ');
        return cause.reason.brief().isEmpty()
                ? operation + " of the " + event.sideName() + " failed: " + cause.status
                : "%s, so %s %s fails".formatted(cause.reason.brief(), whose(event, cause), operation);
    }

    /// The side itself, when the reason has named it just before.
    private static String whose(ViewEvent event, Cause cause) {
        String side = "the " + event.sideName();
        return cause.reason.brief().startsWith(side + " ") ? "its" : side + "'s";
    }

    private void tell(Cause cause) {
        ViewEvent first = cause.firsts.getFirst();
        found.add(new Finding(
                Level.ERROR,
                Findings.capital(title(first, cause)),
                facts(first, cause),
                cause.reason.explanation(),
                cause.reason.remedy(),
                first,
                causes.of(first, cause.reason)));
    }

    private List<Finding.Fact> facts(ViewEvent first, Cause cause) {
        List<Finding.Fact> facts = new ArrayList<>();
        facts.add(fact("request", conversation.requestWords(first)));
        facts.add(fact("status", cause.status.toString()));
        facts.addAll(cause.reason.facts());
        String wire = first.flow == null ? "" : first.flow.onWire();
        if (!wire.isEmpty()) {
            facts.add(fact("on the wire", wire));
        }
        List<ViewEvent> behind = flushed.getOrDefault(queuePair(first), List.of());
        if (!behind.isEmpty()) {
            facts.add(fact("flushed behind it", numbers(behind)));
        }
        if (cause.firsts.size() > 1) {
            facts.add(fact(
                    "the same on",
                    some(cause.firsts.stream()
                            .skip(1)
                            .map(event -> ViewEvent.queuePair(event.qp))
                            .toList())));
        }
        return facts;
    }

    /// Requests that were given up: behind a failed one, or because the connection ended, as it should be.
    private void tellFlushed(List<ViewEvent> events, boolean isBehindFailure) {
        ViewEvent first = events.getFirst();
        boolean isOrderly = !isBehindFailure && causes.wasDisconnected(first);
        String general = Findings.sentence(CompletionStatus.WORK_REQUEST_FLUSHED.explain());
        String note = isBehindFailure
                ? "Flushed: not carried out, because an earlier request of this queue pair failed. That one is the cause."
                : general;
        events.forEach(event -> event.mark(isOrderly ? Level.NOTABLE : Level.ERROR, note));
        if (!isBehindFailure && !isOrderly) {
            found.add(Finding.of(
                    Level.WARNING,
                    PacketFindings.count(events.size(), "request was", "requests were") + " flushed on "
                            + ViewEvent.queuePair(first.qp) + " of the " + first.sideName(),
                    general,
                    first,
                    causes.before(first)));
        }
    }

    /// `wr_id 1, 2, 3, 4 and 5 more`
    static String numbers(List<ViewEvent> requests) {
        return "wr_id "
                + some(requests.stream()
                        .map(each -> String.valueOf(each.wrId()))
                        .toList());
    }

    private static String some(List<String> words) {
        String first = words.stream().limit(MOST_NUMBERS).collect(Collectors.joining(", "));
        return words.size() > MOST_NUMBERS ? first + " and " + (words.size() - MOST_NUMBERS) + " more" : first;
    }
}
