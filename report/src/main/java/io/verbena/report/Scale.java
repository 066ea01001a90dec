package io.verbena.report;

import java.util.List;

/// An axis from the coordinate `start` to the coordinate `end`, in pixels.
public record Scale(Axis axis, double start, double end) {

    public double pixel(double value) {
        return start + (end - start) * axis.place().applyAsDouble(value);
    }

    /// The values that are written beside the axis.
    public List<Double> ticks() {
        return axis.ticks().stream().map(Axis.Tick::value).toList();
    }
}
