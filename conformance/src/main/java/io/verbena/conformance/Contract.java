package io.verbena.conformance;

import io.verbena.conformance.bench.DevicePair;
import io.verbena.conformance.bench.LinkOptions;
import io.verbena.conformance.bench.QueuePairLink;
import io.verbena.conformance.bench.TestDevice;
import java.util.Random;
import org.junit.jupiter.api.extension.ExtendWith;

/// A group of rules that any two devices must keep. Each test gets a fresh [DevicePair]; objects that the test opens
/// through it are closed for it, and a test that leaves anything else open fails.
@ExtendWith({RuleRecorder.class, UnsupportedVerbs.class, DevicePairExtension.class})
public abstract class Contract {
    private DevicePair devices;
    private long seed;

    protected Contract() {}

    final void use(DevicePair devices, long seed) {
        this.devices = devices;
        this.seed = seed;
    }

    protected final DevicePair devices() {
        return devices;
    }

    protected final TestDevice left() {
        return devices.left();
    }

    protected final TestDevice right() {
        return devices.right();
    }

    /// Two connected queue pairs with the usual options.
    protected final QueuePairLink link() {
        return devices.link(LinkOptions.DEFAULT);
    }

    protected final QueuePairLink link(LinkOptions options) {
        return devices.link(options);
    }

    /// The same numbers again when the test is repeated with the seed that a failure names.
    protected final Random random() {
        return new Random(seed);
    }
}
