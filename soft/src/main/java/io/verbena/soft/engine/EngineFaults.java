package io.verbena.soft.engine;

import io.verbena.soft.net.AddressText;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.util.function.Consumer;

/// Counts and logs faults inside an engine. The calling thread did not cause them, so they are not thrown. [#accept]
/// takes the faults of timers.
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

    /// A fault in the duty cycle. A broken wire stays broken, so all such faults are counted and only the first is
    /// reported.
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

    /// A fault while running one queue pair, which ends that queue pair.
    void onQueuePair(ServedQueuePair qp, RuntimeException fault) {
        counters.increment(Counter.ENGINE_FAULTS);
        LOG.log(Level.ERROR, () -> "engine fault on " + qp + "; it goes to the error state", fault);
        qp.onEngineFault();
    }
}
