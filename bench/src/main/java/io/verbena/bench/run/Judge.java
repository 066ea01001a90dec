package io.verbena.bench.run;

import io.verbena.bench.run.Goal.Condition;
import io.verbena.bench.run.Goal.Pair;
import io.verbena.bench.run.Outcome.Part;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Compares the results with the goals.
public final class Judge {
    /// CPU share of a sleeping thread: waking up for a message every 10 ms takes one or two percent.
    static final double MOST_IDLE_PERCENT = 10;
    /// Bytes: the smallest object has 16, so this is less than one object in 32 messages. The JVM itself allocates a
    /// few bytes in each run.
    static final double NEARLY_NO_BYTES = 0.5;
    /// System calls: fewer than one in a hundred messages.
    static final double NEARLY_NO_CALLS = 0.01;

    /// Least speedup of copying by two threads for [Condition#SCALES].
    static final double LEAST_SCALING = 1.8;

    private final Records records;
    private final Function<String, String> absence;
    private final SystemCalls.Count systemCalls;

    /// @param absence why a contestant has no results
    public Judge(Records records, Function<String, String> absence, SystemCalls.Count systemCalls) {
        this.records = records;
        this.absence = absence;
        this.systemCalls = systemCalls;
    }

    /// One outcome for each of `goals`; those that are not `wanted` are skipped.
    public List<Outcome> judge(List<Goal> goals, Collection<Goal> wanted) {
        return goals.stream()
                .map(goal -> wanted.contains(goal) ? judge(goal) : Outcome.skipped(goal, Outcome.LEFT_OUT))
                .toList();
    }

    private Outcome judge(Goal goal) {
        if (goal.also() == Condition.FREE) {
            return free(goal);
        }
        if (goal.also() == Condition.ALLOCATED) {
            return allocated(goal);
        }
        List<Part> parts = new ArrayList<>();
        for (Pair pair : goal.pairs()) {
            Spread ratio = records.ratio(pair.ours(), pair.peer(), goal.metric());
            if (ratio.isEmpty()) {
                return Outcome.skipped(goal, whyNot(pair.ours(), pair.peer()));
            }
            parts.add(new Part(
                    pair,
                    records.spread(pair.ours(), goal.metric()).median(),
                    records.spread(pair.peer(), goal.metric()).median(),
                    ratio,
                    records.probe(pair.ours()).median()));
        }
        Part worst = parts.getFirst();
        for (Part part : parts) {
            if (goal.worse(part.ratio().median(), worst.ratio().median())
                    != worst.ratio().median()) {
                worst = part;
            }
        }
        if (goal.also() == Condition.SCALES) {
            String reason = whyNotScaling(goal, worst);
            if (!reason.isEmpty()) {
                return Outcome.skipped(goal, reason);
            }
        }
        String remark = "";
        boolean met = goal.isReached(worst.ratio().median());
        if (goal.also() == Condition.IDLE) {
            double percent = records.spread(goal.paced(), Metric.CPU_SHARE).median();
            met &= percent <= MOST_IDLE_PERCENT;
            remark = Double.isNaN(percent)
                    ? "CPU between messages: not measured"
                    : format("both sides together take %.1f %% of a CPU with a message every 10 ms", percent);
        }
        return new Outcome(
                goal,
                worst.ours(),
                worst.peer(),
                worst.ratio(),
                worst.probeNs(),
                met,
                parts.size() > 1 ? parts : List.of(),
                joined(remark, separate(goal, worst), otherwise(goal), events(goal)),
                "");
    }

    private static String joined(String... remarks) {
        return Arrays.stream(remarks).filter(text -> !text.isEmpty()).collect(Collectors.joining("; "));
    }

    /// What the machine allows: two threads that have nothing in common.
    private String separate(Goal goal, Part ours) {
        if (goal.also() != Condition.SEPARATE) {
            return "";
        }
        Spread limit = records.ratio(goal.separate(), ours.pair().peer(), goal.metric());
        return limit.isEmpty()
                ? "two threads with devices of their own: not measured"
                : format("two threads with devices of their own: %.2f", limit.median());
    }

    /// What programs would use otherwise.
    private String otherwise(Goal goal) {
        if (goal.also() != Condition.BESIDE) {
            return "";
        }
        return goal.otherwise().stream()
                .map(cell -> {
                    Spread times = records.spread(cell, goal.metric());
                    return cell.contestant() + ": " + (times.isEmpty() ? "-" : format("%,.0f ns", times.median()));
                })
                .collect(Collectors.joining(", "));
    }

    /// Beside a tail, a wait, or threads that should not meet.
    private String events(Goal goal) {
        boolean shown =
                goal.metric() == Metric.TAIL || goal.also() == Condition.IDLE || goal.also() == Condition.SEPARATE;
        return shown ? EventText.of(records, goal.pairs().getFirst().ours()) : "";
    }

    /// Empty when two threads copy fast enough on this machine.
    private String whyNotScaling(Goal goal, Part ours) {
        Pair copies = goal.copies();
        Spread scaling = records.ratio(copies.ours(), copies.peer(), goal.metric());
        if (scaling.isEmpty()) {
            return whyNot(copies.ours(), copies.peer());
        }
        return scaling.median() >= LEAST_SCALING
                ? ""
                : format(
                        "not judged: plain copies by 2 threads were only %.2f times as fast as by 1 here, which must be %.1f"
                                + " (ours were %.2f)",
                        scaling.median(), LEAST_SCALING, ours.ratio().median());
    }

    private Outcome free(Goal goal) {
        Cell cell = goal.pairs().getFirst().ours();
        Spread allocated = records.spread(cell, Metric.ALLOCATED);
        if (allocated.isEmpty()) {
            return Outcome.skipped(goal, absence.apply(cell.contestant()));
        }
        double bytes = nearly(allocated);
        boolean quiet = systemCalls.isKnown() && systemCalls.perMessage() < NEARLY_NO_CALLS;
        return new Outcome(
                goal,
                bytes,
                Double.NaN,
                Spread.of(),
                records.probe(cell).median(),
                bytes == 0 && quiet,
                List.of(),
                systemCalls.text(),
                "");
    }

    private Outcome allocated(Goal goal) {
        Cell cell = goal.pairs().getFirst().ours();
        Spread allocated = records.spread(cell, Metric.ALLOCATED);
        if (allocated.isEmpty()) {
            return Outcome.skipped(goal, absence.apply(cell.contestant()));
        }
        double bytes = nearly(allocated);
        return new Outcome(
                goal,
                bytes,
                Double.NaN,
                Spread.of(),
                records.probe(cell).median(),
                bytes <= goal.target() + NEARLY_NO_BYTES,
                List.of(),
                "a round trip has two messages",
                "");
    }

    private static double nearly(Spread allocated) {
        return allocated.median() < NEARLY_NO_BYTES ? 0 : allocated.median();
    }

    private String whyNot(Cell... cells) {
        for (Cell cell : cells) {
            if (records.of(cell).isEmpty()) {
                return absence.apply(cell.contestant());
            }
        }
        return "no round has both";
    }

    private static String format(String text, Object... values) {
        return String.format(Locale.ROOT, text, values);
    }
}
