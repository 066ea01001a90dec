package io.verbena.soft.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// The faults of a wire or a link, and their probabilities. The same plan on the same traffic gives the same faults:
/// all random numbers come from the seed.
///
/// ```java
/// FaultPlan plan = FaultPlan.none().withLoss(0.01).withSeed(42).dropWhen(FrameMatcher.opcode(0x11), 1);
/// ```
///
/// The probabilities are those of each single frame, 0 to 1. A delay between the shortest and the longest is drawn
/// for each frame and keeps the order of frames.
public record FaultPlan(
        double loss,
        double duplicate,
        double reorder,
        double corrupt,
        Duration shortestDelay,
        Duration longestDelay,
        long seed,
        List<FaultRule> rules) {
    private static final FaultPlan NONE = new FaultPlan(0, 0, 0, 0, Duration.ZERO, Duration.ZERO, 0, List.of());

    /// Checks that probabilities are from 0 to 1, and that the shortest delay is not above the longest.
    public FaultPlan {
        checkProbability("loss", loss);
        checkProbability("duplicate", duplicate);
        checkProbability("reorder", reorder);
        checkProbability("corrupt", corrupt);
        Objects.requireNonNull(shortestDelay, "the shortest delay is null");
        Objects.requireNonNull(longestDelay, "the longest delay is null");
        if (shortestDelay.isNegative() || longestDelay.compareTo(shortestDelay) < 0) {
            throw new IllegalArgumentException("delay=%s..%s: give times that are not negative, the shortest first"
                    .formatted(FaultPlanText.time(shortestDelay), FaultPlanText.time(longestDelay)));
        }
        for (FaultRule rule : Objects.requireNonNull(rules, "the rules are null")) {
            Objects.requireNonNull(rule, "a rule is null");
        }
        rules = List.copyOf(rules);
    }

    /// A plan without faults, to start from.
    public static FaultPlan none() {
        return NONE;
    }

    /// Reads, for example, `loss=0.01,duplicate=0.001,reorder=0.01,corrupt=0.01,delay=10us..1ms,seed=42`; each part
    /// is optional.
    ///
    /// @throws IllegalArgumentException with what is wrong and what is expected
    public static FaultPlan parse(String text) {
        return FaultPlanText.parse(Objects.requireNonNull(text, "the text is null"));
    }

    /// The same plan with another probability that a frame is lost.
    public FaultPlan withLoss(double probability) {
        return new FaultPlan(probability, duplicate, reorder, corrupt, shortestDelay, longestDelay, seed, rules);
    }

    /// The same plan with another probability that a frame arrives twice.
    public FaultPlan withDuplicate(double probability) {
        return new FaultPlan(loss, probability, reorder, corrupt, shortestDelay, longestDelay, seed, rules);
    }

    /// The same plan with another probability that a frame is overtaken by later ones.
    public FaultPlan withReorder(double probability) {
        return new FaultPlan(loss, duplicate, probability, corrupt, shortestDelay, longestDelay, seed, rules);
    }

    /// The same plan with another probability that a frame is damaged.
    public FaultPlan withCorrupt(double probability) {
        return new FaultPlan(loss, duplicate, reorder, probability, shortestDelay, longestDelay, seed, rules);
    }

    /// The same plan with other bounds for the delay of each frame.
    public FaultPlan withDelay(Duration shortest, Duration longest) {
        return new FaultPlan(loss, duplicate, reorder, corrupt, shortest, longest, seed, rules);
    }

    /// The same plan with other random numbers.
    public FaultPlan withSeed(long newSeed) {
        return new FaultPlan(loss, duplicate, reorder, corrupt, shortestDelay, longestDelay, newSeed, rules);
    }

    /// The same plan with one more rule for picked frames.
    public FaultPlan withRule(FaultRule rule) {
        List<FaultRule> more = new ArrayList<>(rules);
        more.add(rule);
        return new FaultPlan(loss, duplicate, reorder, corrupt, shortestDelay, longestDelay, seed, more);
    }

    /// Loses all frames that match.
    public FaultPlan dropWhen(FrameMatcher matcher) {
        return dropWhen(matcher, Long.MAX_VALUE);
    }

    /// Loses the first `times` frames that match.
    public FaultPlan dropWhen(FrameMatcher matcher, long times) {
        return withRule(new FaultRule(Fault.LOSS, matcher, times));
    }

    /// Loses one frame: 0 is the first.
    public FaultPlan dropNth(long n) {
        return dropWhen(FrameMatcher.nth(n), 1);
    }

    /// Does something to the first `times` frames that match.
    public FaultPlan when(FrameMatcher matcher, Fault fault, long times) {
        return withRule(new FaultRule(fault, matcher, times));
    }

    /// The text that [#parse] reads; rules are only counted.
    @Override
    public String toString() {
        return FaultPlanText.print(this);
    }

    private static void checkProbability(String name, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException(name + "=" + value + ": a probability is from 0 to 1");
        }
    }
}
