package io.verbena.conformance;

import io.verbena.conformance.bench.Bench;
import io.verbena.conformance.bench.Link;
import io.verbena.conformance.bench.LinkOptions;
import io.verbena.conformance.bench.Side;
import java.util.Random;
import org.junit.jupiter.api.extension.ExtendWith;

/// A group of rules that any two devices must keep. Each test gets a fresh [Bench]; what it opens through the bench
/// is closed for it, and a test that leaves anything else open fails.
@ExtendWith({RuleRecorder.class, UnsupportedVerbs.class, BenchExtension.class})
public abstract class Contract {
    private Bench bench;
    private long seed;

    protected Contract() {}

    final void use(Bench bench, long seed) {
        this.bench = bench;
        this.seed = seed;
    }

    protected final Bench bench() {
        return bench;
    }

    protected final Side left() {
        return bench.left();
    }

    protected final Side right() {
        return bench.right();
    }

    /// Two connected queue pairs with the usual options.
    protected final Link link() {
        return bench.link(LinkOptions.DEFAULT);
    }

    protected final Link link(LinkOptions options) {
        return bench.link(options);
    }

    /// The same numbers again when the test is repeated with the seed that a failure names.
    protected final Random random() {
        return new Random(seed);
    }
}
