package io.verbena.bench.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// A logarithmic axis from `pixelLow` at the least value to `pixelHigh` at the greatest.
final class LogAxis {
    private static final int[] STEPS = {1, 2, 5};
    private static final int MANY_TICKS = 9;

    private final double low;
    private final double high;
    private final double pixelLow;
    private final double pixelHigh;

    LogAxis(double low, double high, double pixelLow, double pixelHigh) {
        this.low = low;
        this.high = high > low ? high : low * 10;
        this.pixelLow = pixelLow;
        this.pixelHigh = pixelHigh;
    }

    /// An axis with a little room at both ends.
    static LogAxis around(Collection<Double> values, double pixelLow, double pixelHigh) {
        double least = values.stream().mapToDouble(Double::doubleValue).min().orElse(1);
        double most = values.stream().mapToDouble(Double::doubleValue).max().orElse(10);
        return new LogAxis(least / 1.25, most * 1.25, pixelLow, pixelHigh);
    }

    double pixel(double value) {
        double part = Math.log(Math.clamp(value, low, high) / low) / Math.log(high / low);
        return pixelLow + part * (pixelHigh - pixelLow);
    }

    /// Powers of ten and, when there are few, 2 and 5 times those.
    List<Double> ticks() {
        List<Double> fine = new ArrayList<>();
        List<Double> coarse = new ArrayList<>();
        for (int power = (int) Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
            for (int step : STEPS) {
                double value = step * Math.pow(10, power);
                if (value >= low && value <= high) {
                    fine.add(value);
                    if (step == 1) {
                        coarse.add(value);
                    }
                }
            }
        }
        return fine.size() <= MANY_TICKS || coarse.size() < 2 ? fine : coarse;
    }
}
