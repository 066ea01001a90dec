package io.verbena.bench.run;

import java.util.Arrays;

/// The median of some numbers and the quartiles around it, without NaNs.
///
/// - `count`: how many numbers there were; the rest is NaN when there were none
public record Spread(double median, double low, double high, int count) {
    private static final double LOW = 0.25;
    private static final double MIDDLE = 0.5;
    private static final double HIGH = 0.75;

    public static Spread of(double... numbers) {
        double[] sorted =
                Arrays.stream(numbers).filter(n -> !Double.isNaN(n)).sorted().toArray();
        return new Spread(quantile(sorted, MIDDLE), quantile(sorted, LOW), quantile(sorted, HIGH), sorted.length);
    }

    /// Interpolates between two neighbours, so the median of two numbers is their mean.
    static double quantile(double[] sorted, double part) {
        if (sorted.length == 0) {
            return Double.NaN;
        }
        double at = part * (sorted.length - 1);
        int below = (int) at;
        double rest = at - below;
        return rest == 0 ? sorted[below] : sorted[below] + rest * (sorted[below + 1] - sorted[below]);
    }

    public boolean isEmpty() {
        return count == 0;
    }
}
