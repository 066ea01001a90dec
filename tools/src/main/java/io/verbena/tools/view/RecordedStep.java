package io.verbena.tools.view;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import jdk.jfr.Timespan;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedEvent;

/// An event of Verbena in a recording of the flight recorder.
///
/// @param name without the prefix that all have: `soft.ErrorCompletion`
/// @param device the address of the device; empty when the event has none
/// @param queuePair -1 when the event has none, and so is `peerQueuePair`
record RecordedStep(
        long timeNs,
        String name,
        String text,
        String device,
        int queuePair,
        String peer,
        int peerQueuePair,
        String operation,
        String status,
        long requestId,
        boolean hasRequestId,
        RecordedFields fields) {
    static final String PREFIX = "verbena.";

    private static final long NS_PER_SECOND = 1_000_000_000;

    /// Shown elsewhere, or of the recorder itself.
    private static final Set<String> NOT_IN_TEXT =
            Set.of("startTime", "eventThread", "stackTrace", "device", "queuePair", "explanation");

    /// The fields that findings need, as texts and numbers.
    record RecordedFields(String cause, String reason, String to, boolean isOrderly, long durationNs, String what) {}

    static RecordedStep of(RecordedEvent event) {
        Instant start = event.getStartTime();
        return new RecordedStep(
                start.getEpochSecond() * NS_PER_SECOND + start.getNano(),
                event.getEventType().getName().substring(PREFIX.length()),
                text(event),
                string(event, "device"),
                number(string(event, "queuePair")),
                string(event, "peer"),
                number(string(event, "peerQueuePair")),
                string(event, "operation"),
                string(event, "status"),
                event.hasField("requestId") ? event.getLong("requestId") : -1,
                event.hasField("requestId"),
                new RecordedFields(
                        string(event, "cause"),
                        string(event, "reason"),
                        string(event, "to"),
                        !event.hasField("orderly") || event.getBoolean("orderly"),
                        event.getDuration().toNanos(),
                        string(event, "what")));
    }

    boolean is(String type) {
        return name.equals(type);
    }

    /// Whether it is of the other end of this event's queue pair.
    boolean isPeerOf(RecordedStep other) {
        return queuePair >= 0
                && queuePair == other.peerQueuePair
                && peerQueuePair == other.queuePair
                && device.equals(other.peer)
                && peer.equals(other.device);
    }

    private static String string(RecordedEvent event, String field) {
        return event.hasField(field) && event.getValue(field) instanceof String text ? text : "";
    }

    private static int number(String queuePair) {
        try {
            return queuePair.startsWith("0x") ? Integer.parseInt(queuePair.substring(2), 16) : -1;
        } catch (NumberFormatException e) {
            return -1; // a recording of another version
        }
    }

    /// `Queue Pair State Change: from RTS, to ERR, cause program`.
    private static String text(RecordedEvent event) {
        List<String> parts = new ArrayList<>();
        for (ValueDescriptor field : event.getEventType().getFields()) {
            String value = NOT_IN_TEXT.contains(field.getName()) ? "" : value(event, field);
            if (!value.isEmpty()) {
                String label = field.getLabel() == null ? field.getName() : field.getLabel();
                parts.add(label.toLowerCase(Locale.ROOT) + " " + value);
            }
        }
        String label = event.getEventType().getLabel();
        return (label == null ? event.getEventType().getName() : label)
                + (parts.isEmpty() ? "" : ": " + String.join(", ", parts));
    }

    private static String value(RecordedEvent event, ValueDescriptor field) {
        String name = field.getName();
        if (field.getAnnotation(Timespan.class) != null) {
            Duration time = event.getDuration(name);
            return time.isZero() ? "" : String.format(Locale.ROOT, "%.3f ms", time.toNanos() / 1e6);
        }
        Object value = event.getValue(name);
        return value instanceof String || value instanceof Number || value instanceof Boolean
                ? String.valueOf(value)
                : "";
    }
}
