package io.verbena.tools.view;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// What the flight recorder tells of the way to an error.
final class RecordedCauses {
    private static final int MOST_BEFORE = 20;

    private RecordedCauses() {}

    /// What the queue pair and its peer, if that is recorded too, told before.
    static List<Finding.Step> of(Conversation conversation, ViewEvent error) {
        List<Finding.Step> steps = new ArrayList<>();
        List<ViewEvent> all = conversation.events();
        for (int i = error.index - 1; i >= 0 && steps.size() < MOST_BEFORE; i--) {
            ViewEvent event = all.get(i);
            String why = event.isRecorded() ? why(event) : "";
            boolean isOwn = event.qp == error.qp && isSamePlace(event, error);
            if (!why.isEmpty() && (isOwn || event.recorded.isPeerOf(error.recorded))) {
                steps.add(new Finding.Step(event, why));
            }
        }
        steps.add(new Finding.Step(error, "the request failed at the device of " + who(error)));
        all.stream()
                .skip(error.index + 1L)
                .filter(event ->
                        event.isRecorded() && event.recorded.is("soft.StateChange") && isSamePlace(event, error))
                .findFirst()
                .ifPresent(change -> steps.add(new Finding.Step(change, "what became of the queue pair")));
        steps.sort(Comparator.comparingInt(step -> step.event().index));
        return steps;
    }

    private static boolean isSamePlace(ViewEvent event, ViewEvent error) {
        return event.isRecorded() && RecordedFindings.place(event).equals(RecordedFindings.place(error));
    }

    /// How an event may lead to an error; empty when it does not.
    private static String why(ViewEvent event) {
        RecordedStep.RecordedFields fields = event.recorded.fields();
        return switch (event.recorded.name()) {
            case "soft.PathChoice" -> who(event) + " chooses the path of the connection";
            case "soft.Retransmission" -> who(event) + " sends packets again: " + fields.cause();
            case "soft.ReceiverNotReady" -> who(event) + " waits and sends again: its peer had no receive posted";
            case "soft.NoReceive" -> who(event) + " has no receive posted for a message";
            case "soft.Refusal" -> who(event) + " refuses or drops something: " + fields.reason();
            default -> "";
        };
    }

    /// The program of the trace, if one has the queue pair, or the address of the device.
    private static String who(ViewEvent event) {
        return event.side == null ? event.recorded.device() : "the " + event.sideName();
    }
}
