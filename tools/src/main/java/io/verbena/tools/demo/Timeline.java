package io.verbena.tools.demo;

import io.verbena.tools.text.Style;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The events of both processes in the order of time, each with a note.
///
/// Each process reports its events step by step. An event is shown once both processes have reported everything before
/// it, because only then its place is known.
final class Timeline {
    private static final int COLUMN = 47;

    private record Event(long timeNs, String from, String text) {}

    private final PrintWriter out;
    private final List<Event> waiting = new ArrayList<>();
    private final Map<String, Long> toldUntil = new HashMap<>();
    private final StepNotes notes = new StepNotes();
    private long startNs;

    Timeline(PrintWriter out) {
        this.out = out;
    }

    void heading() {
        out.println(Style.BOLD.on(row("ms", "side", "step", "what it is for")));
    }

    void onMessage(Message message) {
        switch (message.kind()) {
            case EVENT -> waiting.add(new Event(message.number(0), message.from(), message.text(1)));
            case FLUSHED -> {
                toldUntil.put(message.from(), message.number(0));
                if (toldUntil.size() == 2) {
                    show(toldUntil.values().stream()
                            .min(Comparator.naturalOrder())
                            .orElseThrow());
                }
            }
            default -> {}
        }
    }

    /// Shows the remaining events.
    void finish() {
        show(Long.MAX_VALUE);
        toldUntil.clear();
    }

    private void show(long untilNs) {
        waiting.sort(Comparator.comparingLong(Event::timeNs));
        var ready = waiting.stream().filter(e -> e.timeNs <= untilNs).toList();
        waiting.removeAll(ready);
        for (Event event : ready) {
            startNs = startNs == 0 ? event.timeNs : startNs;
            if (notes.isFurtherRound(event.text)) {
                continue;
            }
            String time = String.format(Locale.ROOT, "%.3f", (event.timeNs - startNs) / 1e6);
            out.println(colour(event.text, row(time, event.from, event.text, notes.next(event.text))));
        }
        out.flush();
    }

    private static String colour(String text, String row) {
        if (text.startsWith("post ")) {
            return Style.CYAN.on(row);
        }
        return text.startsWith("completed ") || text.contains("verified") ? Style.GREEN.on(row) : row;
    }

    private static String row(String time, String side, String step, String note) {
        return String.format(Locale.ROOT, "%10s  %-6s  %-" + COLUMN + "s  %s", time, side, step, note)
                .stripTrailing();
    }
}
