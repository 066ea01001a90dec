package io.verbena.bench.run;

import io.verbena.bench.side.Measurement.Kind;
import java.util.Locale;
import java.util.Map;

/// What may have disturbed the runs of a cell, in words: medians of events per second.
final class EventText {
    private static final double TAIL = 0.01;
    private static final double FEW = 10;

    private EventText() {}

    /// Empty when no events were counted.
    static String of(Records records, Cell cell) {
        Map<String, Double> events = records.events(cell);
        if (events.isEmpty()) {
            return "";
        }
        StringBuilder text = new StringBuilder("per second: ");
        double rate = 1e6 * records.spread(cell, Metric.RATE).median();
        text.append(number(rate)).append(" messages");
        if (cell.measurement().kind() == Kind.ROUND_TRIP) {
            text.append(" (the slowest hundredth is ")
                    .append(number(TAIL * rate))
                    .append(')');
        }
        events.forEach((name, perSecond) ->
                text.append(", ").append(number(perSecond)).append(' ').append(name));
        return text.toString();
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value > 0 && value < FEW ? "%.1f" : "%,.0f", value);
    }
}
