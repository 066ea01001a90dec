package io.verbena.bench.run;

import io.verbena.bench.side.Measurement;
import io.verbena.bench.side.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// A goal: a ratio between two cells, or between several pairs of them, of which the worst counts.
///
/// - `atMost`: the ratio must be below the target (times), else above (rates)
/// - `also`: a condition besides the ratio
public record Goal(
        String what, String against, Metric metric, double target, boolean atMost, List<Pair> pairs, Condition also) {

    public record Pair(Cell ours, Cell peer) {}

    public enum Condition {
        NONE,
        /// Both sides sleep between messages.
        IDLE,
        /// Nothing is allocated, and no system call made: there is no peer to compare with.
        FREE,
        /// Not more is allocated than the goal says: there is no peer to compare with.
        ALLOCATED,
        /// Measured beside what programs would use otherwise.
        BESIDE,
        /// Two threads that only copy scale on this machine; else the goal is not judged.
        SCALES,
        /// Two threads that have not even a device in common are measured, too: the limit of this machine.
        SEPARATE
    }

    /// The same goal under another name.
    Goal called(String name) {
        return new Goal(name, against, metric, target, atMost, pairs, also);
    }

    /// All cells that the goal needs, in the order to measure them.
    public List<Cell> cells() {
        List<Cell> cells = new ArrayList<>();
        for (Pair pair : pairs) {
            cells.add(pair.ours());
            if (pair.peer() != null) {
                cells.add(pair.peer());
            }
        }
        if (also == Condition.IDLE) {
            cells.add(paced());
        }
        if (also == Condition.BESIDE) {
            cells.addAll(otherwise());
        }
        if (also == Condition.SCALES) {
            cells.add(copies().ours());
            cells.add(copies().peer());
        }
        if (also == Condition.SEPARATE) {
            cells.add(separate());
        }
        return cells;
    }

    /// The same by libraries that programs would use otherwise.
    public List<Cell> otherwise() {
        Measurement measurement = pairs.getFirst().ours().measurement();
        return Stream.of(Names.AERON_IPC, Names.NETTY, Names.GRPC)
                .map(name -> new Cell(name, measurement))
                .toList();
    }

    /// Plain copies of the same size by two threads, beside those by one.
    public Pair copies() {
        Measurement copy = Measurement.stream(
                Measurement.Operation.COPY,
                pairs.getFirst().ours().measurement().size());
        return new Pair(new Cell(Names.MEMCPY_TWO_THREADS, copy), new Cell(Names.MEMCPY, copy));
    }

    /// Two threads that have nothing in common.
    public Cell separate() {
        return new Cell(Names.UDP_OWN_DEVICES, pairs.getFirst().ours().measurement());
    }

    /// The words that distinguish a pair from the others: the measurement, or else the contestant.
    public String partName(Pair pair) {
        boolean oneContestant = pairs.stream()
                .allMatch(other -> other.ours().contestant().equals(pair.ours().contestant()));
        return oneContestant
                ? pair.ours().measurement().toString()
                : pair.ours().toString();
    }

    /// The cell that shows whether both sides sleep.
    public Cell paced() {
        Cell ours = pairs.getFirst().ours();
        return new Cell(ours.contestant(), ours.measurement().ofKind(Measurement.Kind.PACED));
    }

    public boolean isReached(double ratio) {
        return atMost ? ratio <= target : ratio >= target;
    }

    /// The ratio that is farther from the goal.
    public double worse(double one, double other) {
        return atMost ? Math.max(one, other) : Math.min(one, other);
    }

    public String sign() {
        return atMost ? "≤" : "≥";
    }

    @Override
    public String toString() {
        return against.isEmpty() ? what : what + ", against " + against;
    }
}
