package io.verbena.bench.run;

import static io.verbena.bench.side.Measurement.Operation.CACHE_LINE;
import static io.verbena.bench.side.Measurement.Operation.COPY;
import static io.verbena.bench.side.Measurement.Operation.DATAGRAM;
import static io.verbena.bench.side.Measurement.Operation.FETCH_ADD;
import static io.verbena.bench.side.Measurement.Operation.READ;
import static io.verbena.bench.side.Measurement.Operation.SEND;
import static io.verbena.bench.side.Measurement.Operation.WRITE;
import static io.verbena.bench.side.Measurement.roundTrip;
import static io.verbena.bench.side.Measurement.stream;

import io.verbena.bench.side.Contestant;
import io.verbena.bench.side.Measurement;
import io.verbena.bench.side.Sizes;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// The cells to measure, in the order of a round: first those of the goals, each beside its peer, then the others by
/// measurement, contestant after contestant.
///
/// - `goals`: the goals that are judged
public record RunPlan(List<Goal> goals, List<Cell> goalCells, List<Cell> otherCells) {
    private static final int[] ROUND_TRIPS = {8, 64, 4096, 65536};
    private static final int[] STREAMS = {64, 1024, 4096, 65536, Sizes.MIB, 16 * Sizes.MIB};
    private static final int[] QUICK_ROUND_TRIPS = {8, 4096, 65536};
    private static final int[] QUICK_STREAMS = {4096, Sizes.MIB};

    /// @param only selects cells and goals whose text contains it; null for all
    public static RunPlan of(List<Contestant> contestants, List<Goal> goals, boolean quick, Pattern only) {
        Predicate<Object> wanted =
                thing -> only == null || only.matcher(thing.toString()).find();
        List<Goal> judged = new ArrayList<>();
        Set<Cell> goalCells = new LinkedHashSet<>();
        for (Goal goal : goals) {
            boolean whole = wanted.test(goal);
            // A goal of what a message allocates has one cell, which belongs to other goals, too. Selecting the cell
            // does not select that goal.
            if (whole
                    || goal.pairs().getFirst().peer() != null
                            && goal.cells().stream().allMatch(wanted)) {
                judged.add(goal);
            }
            goal.cells().stream()
                    .filter(cell -> whole || wanted.test(cell))
                    .filter(cell -> contestants.stream()
                            .anyMatch(one -> one.name().equals(cell.contestant()) && one.can(cell.measurement())))
                    .forEach(goalCells::add);
        }
        Set<Cell> others = new LinkedHashSet<>();
        for (Measurement measurement : measurements(quick)) {
            for (Contestant contestant : contestants) {
                Cell cell = new Cell(contestant.name(), measurement);
                if (contestant.can(measurement) && wanted.test(cell) && !goalCells.contains(cell)) {
                    others.add(cell);
                }
            }
        }
        return new RunPlan(judged, List.copyOf(goalCells), List.copyOf(others));
    }

    /// All measurements, whether or not a contestant supports them.
    private static List<Measurement> measurements(boolean quick) {
        List<Measurement> all = new ArrayList<>();
        for (int size : quick ? QUICK_ROUND_TRIPS : ROUND_TRIPS) {
            all.add(roundTrip(SEND, size).withRead());
            if (!quick) {
                all.add(roundTrip(SEND, size));
                all.add(roundTrip(READ, size));
                all.add(roundTrip(DATAGRAM, size));
            }
            all.add(roundTrip(WRITE, size));
        }
        all.add(roundTrip(FETCH_ADD, 8));
        all.add(roundTrip(CACHE_LINE, 8));
        all.add(roundTrip(SEND, 64).withRead().blocking());
        for (int size : quick ? QUICK_STREAMS : STREAMS) {
            all.add(stream(SEND, size).withRead());
            all.add(stream(WRITE, size));
            if (!quick) {
                all.add(stream(READ, size));
                all.add(stream(SEND, size));
            }
            all.add(stream(COPY, size));
        }
        all.add(stream(FETCH_ADD, 8));
        if (!quick) {
            all.add(stream(DATAGRAM, 1040));
        }
        return all;
    }

    /// The cells of one contestant.
    public List<Cell> cellsOf(String contestant) {
        List<Cell> cells = new ArrayList<>(goalCells);
        cells.addAll(otherCells);
        cells.removeIf(cell -> !cell.contestant().equals(contestant));
        return cells;
    }
}
