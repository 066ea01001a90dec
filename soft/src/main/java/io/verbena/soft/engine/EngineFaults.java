package io.verbena.soft.engine;

import io.verbena.soft.net.AddressText;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.util.function.Consumer;

/// What becomes of faults inside an engine: they are nobody's who calls it, so they are counted and told. Those that it
/// takes as a consumer are of timers.
final class EngineFaults implements Consumer<RuntimeException> {
    private static final Logger LOG = System.getLogger(Engine.class.getName());

    private final Counters counters;
    private final InetAddress local;
    private volatile boolean faulty;
    private volatile Runnable listener = () -> {};

    EngineFaults(Counters counters, InetAddress local) {
        this.counters = counters;
        this.local = local;
    }

    void listener(Runnable newListener) {
        listener = newListener;
    }

    /// In the duty cycle. A wire that is broken stays so: the counter shows how often, the first one is told.
    void onCycle(Throwable fault) {
        counters.increment(Counter.ENGINE_FAULTS);
        if (!faulty) {
            faulty = true;
            LOG.log(Level.ERROR, "fault in the duty cycle of " + AddressText.of(local), fault);
            listener.run();
        }
    }

    @Override
    public void accept(RuntimeException fault) {
        counters.increment(Counter.ENGINE_FAULTS);
        LOG.log(Level.ERROR, "engine fault in a timer", fault);
    }

    /// In one queue pair's step: that is its end.
    void onQueuePair(ServedQueuePair qp, RuntimeException fault) {
        counters.increment(Counter.ENGINE_FAULTS);
        LOG.log(Level.ERROR, () -> "engine fault on " + qp + "; it goes to the error state", fault);
        qp.onEngineFault();
    }
}
