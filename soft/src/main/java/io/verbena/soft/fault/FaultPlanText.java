package io.verbena.soft.fault;

import io.verbena.soft.os.TimeText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// The text form of a [FaultPlan].
final class FaultPlanText {
    private static final String EXPECTED =
            "write, for example, loss=0.01,duplicate=0.001,reorder=0.01,corrupt=0.01,delay=10us..1ms,seed=42";
    private static final String RANGE = "..";

    private FaultPlanText() {}

    static FaultPlan parse(String text) {
        FaultPlan plan = FaultPlan.none();
        for (String part : text.split(",")) {
            if (!part.isBlank()) {
                plan = apply(plan, part.trim());
            }
        }
        return plan;
    }

    static String print(FaultPlan plan) {
        List<String> parts = new ArrayList<>();
        probability(parts, "loss", plan.loss());
        probability(parts, "duplicate", plan.duplicate());
        probability(parts, "reorder", plan.reorder());
        probability(parts, "corrupt", plan.corrupt());
        if (!plan.longestDelay().isZero()) {
            parts.add("delay=" + time(plan.shortestDelay()) + RANGE + time(plan.longestDelay()));
        }
        parts.add("seed=" + plan.seed());
        String text = String.join(",", parts);
        return plan.rules().isEmpty() ? text : text + " and " + plan.rules().size() + " rules";
    }

    static String time(Duration duration) {
        long ns = duration.toNanos();
        for (String unit : List.of("s", "ms", "us")) {
            long perUnit = TimeText.nsPer(unit);
            if (ns != 0 && ns % perUnit == 0) {
                return ns / perUnit + unit;
            }
        }
        return ns + "ns";
    }

    private static FaultPlan apply(FaultPlan plan, String part) {
        String name = part.substring(0, Math.max(0, part.indexOf('='))).trim();
        String value = part.substring(part.indexOf('=') + 1).trim();
        return switch (name) {
            case "loss" -> plan.withLoss(probability(part, value));
            case "duplicate" -> plan.withDuplicate(probability(part, value));
            case "reorder" -> plan.withReorder(probability(part, value));
            case "corrupt" -> plan.withCorrupt(probability(part, value));
            case "delay" -> delay(plan, part, value);
            case "seed" -> plan.withSeed(seed(part, value));
            default -> throw wrong(part, "there is no such fault");
        };
    }

    private static double probability(String part, String value) {
        try {
            return Double.parseDouble(value);
        } catch (NumberFormatException e) {
            throw wrong(part, "a probability is a number from 0 to 1");
        }
    }

    private static FaultPlan delay(FaultPlan plan, String part, String value) {
        int range = value.indexOf(RANGE);
        Duration shortest = time(part, range < 0 ? value : value.substring(0, range));
        Duration longest = range < 0 ? shortest : time(part, value.substring(range + RANGE.length()));
        return plan.withDelay(shortest, longest);
    }

    private static Duration time(String part, String value) {
        long ns = TimeText.parseNs(value);
        if (ns < 0) {
            throw wrong(part, "a time is a whole number with ns, us, ms or s");
        }
        return Duration.ofNanos(ns);
    }

    private static long seed(String part, String value) {
        try {
            return Long.decode(value);
        } catch (NumberFormatException e) {
            throw wrong(part, "a seed is a whole number");
        }
    }

    private static void probability(List<String> parts, String name, double value) {
        if (value > 0) {
            parts.add(name + "=" + value);
        }
    }

    private static IllegalArgumentException wrong(String part, String why) {
        return new IllegalArgumentException(part + ": " + why + "; " + EXPECTED);
    }
}
