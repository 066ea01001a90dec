package io.verbena.tools.sequence;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/// How far down each step, message and fold is. Each side is as dense as its own steps allow; what the other side
/// causes stays below its cause. Messages go one by one, so that their words do not meet.
final class Layout {
    static final int ROW = 24;
    /// How far down a message ends below where it starts.
    static final int SLANT = 12;
    private static final int WIRE_ROW = 30;
    private static final int FOLD = 44;
    private static final int END = 16;

    record PlacedStep(Step step, int y) {}

    record PlacedArrow(Arrow arrow, int y) {}

    record PlacedFold(int rounds, int y) {}

    private final Map<Step, List<Arrow>> outgoing = new IdentityHashMap<>();
    private final Map<Step, Integer> arrivals = new IdentityHashMap<>();
    /// Until when requests were on their way: nothing completes before.
    private final Map<String, Integer> sent = new HashMap<>();
    private final Map<Side, Integer> cursors = new EnumMap<>(Side.class);
    private final List<PlacedStep> steps = new ArrayList<>();
    private final List<PlacedArrow> messages = new ArrayList<>();
    private final List<PlacedFold> folds = new ArrayList<>();
    private int wire;

    private Layout(List<Row> rows, List<Arrow> arrows, int top) {
        Map<Step, Boolean> shown = new IdentityHashMap<>();
        for (Row row : rows) {
            if (row instanceof Row.Shown(Step step)) {
                shown.put(step, true);
            }
        }
        for (Arrow arrow : arrows) {
            if (shown.containsKey(arrow.from()) && (arrow.to() == null || shown.containsKey(arrow.to()))) {
                outgoing.computeIfAbsent(arrow.from(), _ -> new ArrayList<>()).add(arrow);
            }
        }
        moveTo(top);
    }

    static Layout of(List<Row> rows, List<Arrow> arrows, int top) {
        var layout = new Layout(rows, arrows, top);
        for (Row row : rows) {
            switch (row) {
                case Row.Shown(Step step) -> layout.place(step);
                case Row.Folded(int rounds) -> layout.fold(rounds);
            }
        }
        return layout;
    }

    private void place(Step step) {
        int y = Math.max(cursors.get(step.side()), arrivals.getOrDefault(step, 0));
        if (step.isCompletion()) {
            y = Math.max(y, sent.getOrDefault(step.request(), 0));
        }
        steps.add(new PlacedStep(step, y));
        cursors.put(step.side(), y + ROW);
        for (Arrow arrow : outgoing.getOrDefault(step, List.of())) {
            int start = Math.max(y + 2, wire);
            messages.add(new PlacedArrow(arrow, start));
            wire = start + WIRE_ROW;
            sent.put(step.request(), start + SLANT + 2);
            if (arrow.to() != null) {
                arrivals.put(arrow.to(), start + SLANT + 2);
            }
        }
    }

    private void fold(int rounds) {
        int y = bottom() + FOLD / 2 - ROW / 2;
        folds.add(new PlacedFold(rounds, y));
        moveTo(y + FOLD / 2 + ROW / 2);
    }

    private void moveTo(int y) {
        cursors.put(Side.CLIENT, y);
        cursors.put(Side.SERVER, y);
        wire = y;
    }

    private int bottom() {
        return Math.max(wire, Math.max(cursors.get(Side.CLIENT), cursors.get(Side.SERVER)));
    }

    /// Where the life lines end.
    int end() {
        return bottom() - ROW + END;
    }

    List<PlacedStep> steps() {
        return steps;
    }

    List<PlacedArrow> messages() {
        return messages;
    }

    List<PlacedFold> folds() {
        return folds;
    }
}
