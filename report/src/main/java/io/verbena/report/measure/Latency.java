package io.verbena.report.measure;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/// The figures of a latency histogram, in microseconds; NaN when it is empty. No sample is dropped: perftest drops its
/// two worst samples, which belong to the tail.
public final class Latency {
    /// Longer times are recorded as this one.
    public static final long LONGEST_NS = TimeUnit.HOURS.toNanos(1);

    private static final int DIGITS = 3;
    private static final double NS_PER_US = 1e3;
    /// Points of the curve for each halving of the distance to 100 %.
    private static final int TICKS_PER_HALF = 5;

    private final Histogram histogram;

    public Latency(Histogram histogram) {
        this.histogram = histogram;
    }

    /// Without samples yet.
    public Latency() {
        this(newHistogram());
    }

    /// A histogram of nanoseconds.
    public static Histogram newHistogram() {
        return new Histogram(LONGEST_NS, DIGITS);
    }

    public void record(long ns) {
        histogram.recordValue(Math.min(ns, LONGEST_NS));
    }

    /// Drops all samples.
    public void reset() {
        histogram.reset();
    }

    public long samples() {
        return histogram.getTotalCount();
    }

    public double percentile(double percentile) {
        return us(histogram.getValueAtPercentile(percentile));
    }

    public double min() {
        return us(histogram.getMinValue());
    }

    public double max() {
        return us(histogram.getMaxValue());
    }

    public double mean() {
        return us(histogram.getMean());
    }

    public double standardDeviation() {
        return us(histogram.getStdDeviation());
    }

    private double us(double nanoseconds) {
        return samples() == 0 ? Double.NaN : nanoseconds / NS_PER_US;
    }

    /// Percentiles from 0 to 100 and their latencies: enough points to draw, however many samples there are.
    public Curve curve() {
        List<Number> percentiles = new ArrayList<>();
        List<Double> latencies = new ArrayList<>();
        if (samples() > 0) {
            for (HistogramIterationValue value : histogram.percentiles(TICKS_PER_HALF)) {
                percentiles.add(exact(value.getPercentileLevelIteratedTo()));
                latencies.add(us(value.getValueIteratedTo()));
            }
        }
        return new Curve(percentiles, latencies);
    }

    /// Rounds to seven decimals: in the tail the last digits matter.
    private static Number exact(double percentile) {
        BigDecimal rounded = BigDecimal.valueOf(percentile).setScale(7, RoundingMode.HALF_EVEN);
        return new BigDecimal(rounded.stripTrailingZeros().toPlainString());
    }

    /// `percentiles` and `latenciesUs` have the same length.
    public record Curve(List<Number> percentiles, List<Double> latenciesUs) {}
}
