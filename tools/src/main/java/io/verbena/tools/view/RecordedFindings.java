package io.verbena.tools.view;

import static io.verbena.tools.view.Finding.fact;

import io.verbena.verbs.attr.CompletionStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// What went wrong according to recordings of the flight recorder. Marks the events.
final class RecordedFindings {
    private static final int MOST_STEPS = 10;
    /// A kind of event that tells of something unwanted. Events of one kind and one place are one finding.
    ///
    /// @param title with %s for the place
    private record Kind(String name, Predicate<RecordedStep> isMeant, Level level, String title, String explanation) {}

    private static final List<Kind> KINDS = List.of(
            new Kind("soft.ConnectFailure", _ -> true, Level.ERROR, "Connecting failed%s", "%s"),
            new Kind(
                    "soft.Disconnect",
                    step -> !step.fields().isOrderly(),
                    Level.WARNING,
                    "A connection ended without being closed%s",
                    "%s"),
            new Kind(
                    "soft.Retransmission",
                    _ -> true,
                    Level.WARNING,
                    "Packets were sent again%s",
                    "The first time because of this: %s. Packets get lost on the way, or the peer is too busy to answer in"
                            + " time. Look at the network, at the size of the socket buffers, and at the load of the peer."),
            new Kind(
                    "soft.ReceiverNotReady",
                    _ -> true,
                    Level.WARNING,
                    "The peer had no receive posted%s",
                    "This side waited and sent again. The peer must post receives before this side sends, and enough of"
                            + " them; each wait makes the connection slow."),
            new Kind(
                    "soft.NoReceive",
                    _ -> true,
                    Level.WARNING,
                    "No receive was posted when a message came%s",
                    "The peer waits and sends again, which is slow, and gives up in the end. Post receives before the peer"
                            + " sends, and enough of them."),
            new Kind("soft.Refusal", _ -> true, Level.WARNING, "A request was refused or dropped%s", "%s"),
            new Kind(
                    "endpoint.Disconnect",
                    step -> !step.fields().isOrderly(),
                    Level.WARNING,
                    "A connection of the endpoint was lost%s",
                    "%s"),
            new Kind("endpoint.Error", _ -> true, Level.WARNING, "An operation of an endpoint failed%s", "%s"),
            new Kind("sockets.Fallback", _ -> true, Level.WARNING, "A socket uses TCP instead of RDMA%s", "%s"),
            new Kind(
                    "soft.SlowWait",
                    _ -> true,
                    Level.NOTABLE,
                    "Threads waited long%s",
                    "The longest wait took %s. That is normal for a server without work. Else look at what the peer did"
                            + " meanwhile."));

    private final Conversation conversation;
    private final List<Finding> found = new ArrayList<>();
    /// Events that led to an error, which tells of them.
    private final Set<ViewEvent> told = new HashSet<>();

    private RecordedFindings(Conversation conversation) {
        this.conversation = conversation;
    }

    static List<Finding> of(Conversation conversation) {
        var findings = new RecordedFindings(conversation);
        findings.states();
        findings.errors();
        KINDS.forEach(findings::kind);
        return findings.found;
    }

    private List<ViewEvent> recorded(String name) {
        return conversation.events().stream()
                .filter(event -> event.isRecorded() && event.recorded.is(name))
                .toList();
    }

    /// Each event of a queue pair gets the state that the last change told.
    private void states() {
        Map<String, String> states = new LinkedHashMap<>();
        for (ViewEvent event : conversation.events()) {
            if (event.isRecorded() && event.qp >= 0) {
                if (event.recorded.is("soft.StateChange")) {
                    states.put(place(event), event.recorded.fields().to());
                    boolean hasFailed = event.recorded.fields().to().equals("ERR")
                            && !event.recorded.fields().cause().equals("program");
                    if (hasFailed) {
                        event.mark(
                                Level.NOTABLE,
                                Findings.sentence(event.recorded.fields().cause()));
                    }
                }
                event.state = states.getOrDefault(place(event), "");
            }
        }
    }

    static String place(ViewEvent event) {
        return event.source + " " + event.recorded.device() + " " + event.qp;
    }

    private void errors() {
        Set<String> known = new HashSet<>();
        for (ViewEvent event : recorded("soft.ErrorCompletion")) {
            CompletionStatus status = Findings.status(event.status);
            String explanation = Findings.sentence(status.explain());
            event.mark(Level.ERROR, explanation);
            boolean isTold = event.flow != null && event.flow.completion != null;
            if (!known.add(place(event) + status)) {
                continue;
            }
            List<Finding.Step> steps = RecordedCauses.of(conversation, event);
            steps.forEach(step -> told.add(step.event()));
            // A completion of a trace is a finding of its own, which has these steps.
            if (!isTold) {
                found.add(new Finding(
                        Level.ERROR,
                        event.words() + where(event) + ": " + status,
                        counts(steps),
                        explanation,
                        "",
                        event,
                        steps));
            }
        }
    }

    /// `ReceiverNotReady: 3 times`
    private static List<Finding.Fact> counts(List<Finding.Step> steps) {
        Map<String, Long> counts = steps.stream()
                .filter(step ->
                        KINDS.stream().anyMatch(kind -> step.event().recorded.is(kind.name)))
                .collect(Collectors.groupingBy(
                        step -> step.event().name.replaceFirst("^[a-z]+\\.", ""),
                        LinkedHashMap::new,
                        Collectors.counting()));
        return counts.entrySet().stream()
                .map(each -> fact(each.getKey(), PacketFindings.count(each.getValue(), "time", "times")))
                .toList();
    }

    private static String where(ViewEvent event) {
        String device = event.recorded.device();
        return device.isEmpty() ? "" : " at " + device;
    }

    private void kind(Kind kind) {
        Map<String, List<ViewEvent>> places = new LinkedHashMap<>();
        for (ViewEvent event : recorded(kind.name)) {
            if (kind.isMeant.test(event.recorded)) {
                places.computeIfAbsent(
                                place(event)
                                        + event.recorded.fields().reason()
                                        + event.recorded.fields().what(),
                                _ -> new ArrayList<>())
                        .add(event);
            }
        }
        places.values().forEach(events -> add(kind, events));
    }

    private void add(Kind kind, List<ViewEvent> events) {
        ViewEvent first = events.stream()
                .max(Comparator.comparingLong(event -> event.recorded.fields().durationNs()))
                .orElseThrow();
        first = first.recorded.fields().durationNs() == 0 ? events.getFirst() : first;
        String explanation =
                Findings.sentence(kind.explanation.formatted(detail(first)).strip());
        events.forEach(event -> event.mark(kind.level, ""));
        first.note = explanation;
        if (told.containsAll(events)) {
            return;
        }
        String times = events.size() == 1 ? "" : ", " + events.size() + " times";
        String place = (first.qp < 0 ? "" : " on " + ViewEvent.queuePair(first.qp)) + where(first);
        found.add(Finding.of(
                kind.level,
                kind.title.formatted(place + times),
                explanation,
                first,
                events.stream()
                        .limit(MOST_STEPS)
                        .map(event -> new Finding.Step(event, detail(event)))
                        .toList()));
    }

    private static String detail(ViewEvent event) {
        RecordedStep.RecordedFields fields = event.recorded.fields();
        if (fields.durationNs() > 0) {
            return String.format(Locale.ROOT, "%.3f ms", fields.durationNs() / 1e6);
        }
        String what = fields.what().isEmpty() ? "" : fields.what() + ": ";
        return what + (fields.reason().isEmpty() ? fields.cause() : fields.reason());
    }
}
