package io.verbena.bench.report;

import io.verbena.bench.run.Spread;
import io.verbena.report.Numbers;

/// Quartiles for people: `[low..high]`.
public final class Spreads {
    private Spreads() {}

    public static String text(Spread spread) {
        return spread.isEmpty()
                ? Numbers.NONE
                : "[" + Numbers.rounded(spread.low()) + ".." + Numbers.rounded(spread.high()) + "]";
    }

    /// Quartiles of times, in the unit that fits their median.
    public static String times(Spread spread) {
        double ns = Numbers.TimeUnit.of(spread.median()).ns();
        return text(new Spread(spread.median() / ns, spread.low() / ns, spread.high() / ns, spread.count()));
    }
}
