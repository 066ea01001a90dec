package io.verbena.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.function.DoubleUnaryOperator;

/// An axis of a chart: `place` maps a value to its position, 0 at the start and 1 at the end. The ticks are written
/// beside the axis.
public record Axis(String label, DoubleUnaryOperator place, List<Tick> ticks) {
    private static final int MOST_TICKS = 7;
    /// With more nines the label of 50 % would touch that of 0 %.
    private static final int MOST_NINES_WITH_HALF = 5;

    private static final int MOST_SIZE_TICKS = 13;

    /// A picosecond, or a byte per second: no measured value is smaller, and a logarithmic axis needs a lower end.
    private static final double LEAST = 1e-6;

    /// A value that is written beside the axis.
    public record Tick(double value, String label) {}

    /// An axis from 0 to a round number of at least `max`.
    public static Axis linear(String label, double max) {
        double end = max >= LEAST ? max : 1;
        double step = roundStep(end / (MOST_TICKS - 1));
        long count = (long) Math.ceil(end / step - 1e-9);
        List<Tick> ticks = new ArrayList<>();
        for (long i = 0; i <= count; i++) {
            ticks.add(new Tick(i * step, Numbers.plain(i * step)));
        }
        return new Axis(label, value -> value / (count * step), ticks);
    }

    /// The smallest of 1, 2, 5, 10, 20, 50 ... that is at least `least`.
    private static double roundStep(double least) {
        double decade = Math.pow(10, Math.floor(Math.log10(least)));
        for (double factor : new double[] {1, 2, 5}) {
            if (factor * decade >= least * (1 - 1e-9)) {
                return factor * decade;
            }
        }
        return 10 * decade;
    }

    /// An axis of whole decades, with ticks for 2 and 5 where there are few.
    public static Axis logarithmic(String label, double min, double max) {
        return logarithmic(label, min, max, Numbers::plain);
    }

    /// @param text how the ticks are written
    public static Axis logarithmic(String label, double min, double max, DoubleFunction<String> text) {
        double least = Math.max(min, LEAST);
        int first = (int) Math.floor(Math.log10(least) + 1e-9);
        int last = Math.max(first + 1, (int) Math.ceil(Math.log10(Math.max(max, least)) - 1e-9));
        List<Tick> ticks = new ArrayList<>();
        for (int decade = first; decade <= last; decade++) {
            double value = Math.pow(10, decade);
            ticks.add(new Tick(value, text.apply(value)));
            if (decade < last && last - first <= 2) {
                ticks.add(new Tick(2 * value, text.apply(2 * value)));
                ticks.add(new Tick(5 * value, text.apply(5 * value)));
            }
        }
        return new Axis(label, logarithm(Math.pow(10, first), Math.pow(10, last)), ticks);
    }

    /// An axis of message sizes, by powers of two.
    public static Axis sizes(String label, long min, long max) {
        int first = Long.SIZE - 1 - Long.numberOfLeadingZeros(Math.max(min, 1));
        int last = Math.max(first + 1, Long.SIZE - Long.numberOfLeadingZeros(Math.max(max - 1, 1)));
        int step = Math.ceilDiv(last - first + 1, MOST_SIZE_TICKS);
        List<Tick> ticks = new ArrayList<>();
        for (int power = first; power <= last; power += step) {
            ticks.add(new Tick(Math.scalb(1.0, power), Numbers.bytes(1L << power)));
        }
        return new Axis(label, logarithm(Math.scalb(1.0, first), Math.scalb(1.0, last)), ticks);
    }

    /// An axis of percentiles as in HdrHistogram's plots: each further nine takes the same space, which leaves room for
    /// the tail. Values are [#oneIn], up to `most`.
    public static Axis percentiles(String label, double most) {
        int nines = Math.max(1, (int) Math.ceil(Math.log10(Math.max(most, 1)) - 1e-9));
        List<Tick> ticks = new ArrayList<>(List.of(new Tick(1, "0 %")));
        if (nines <= MOST_NINES_WITH_HALF) {
            ticks.add(new Tick(2, "50 %"));
        }
        for (int nine = 1; nine <= nines; nine++) {
            double percent = 100 - 100 / Math.pow(10, nine);
            String text = String.format(Locale.ROOT, "%." + Math.max(0, nine - 2) + "f %%", percent);
            ticks.add(new Tick(Math.pow(10, nine), text));
        }
        return new Axis(label, logarithm(1, Math.pow(10, nines)), ticks);
    }

    /// One in this many samples is above that percentile: 1 for 0 %, 100 for 99 %, `samples` for the maximum.
    public static double oneIn(double percentile, long samples) {
        double left = 1 - percentile / 100;
        return Math.clamp(left <= 0 ? Double.MAX_VALUE : 1 / left, 1, Math.max(samples, 1));
    }

    /// This axis on the screen.
    public Scale between(double start, double end) {
        return new Scale(this, start, end);
    }

    private static DoubleUnaryOperator logarithm(double first, double last) {
        double span = Math.log(last / first);
        return value -> Math.log(Math.clamp(value, first, last) / first) / span;
    }
}
