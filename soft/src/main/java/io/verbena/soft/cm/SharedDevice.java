package io.verbena.soft.cm;

import io.verbena.roce.mad.CmMessage;
import io.verbena.soft.SoftContext;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.engine.Engine;
import io.verbena.verbs.ProtectionDomain;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// A device that ids have in common: one open context, its connection manager, and a protection domain for programs
/// that need only one.
final class SharedDevice {
    private static final Logger LOG = System.getLogger(SharedDevice.class.getName());

    private final SoftContext context;
    private final CmAgent agent;
    private final AtomicInteger users = new AtomicInteger();
    private ProtectionDomain domain;

    /// @param onIdle told when the last connection is gone; must not wait
    SharedDevice(SoftContext context, Consumer<SharedDevice> onIdle) {
        this.context = context;
        this.agent = new CmAgent(new EnginePort(context), context.device().random(), () -> onIdle.accept(this));
        engine().managementHandler((message, high, low, nowNs) -> onMessage(message, high, low));
    }

    /// Whatever a peer sends, the engine goes on.
    private void onMessage(CmMessage message, long sourceHigh, long sourceLow) {
        try {
            agent.onMessage(message, sourceHigh, sourceLow);
        } catch (RuntimeException e) {
            engine().counters().increment(Counter.ENGINE_FAULTS);
            LOG.log(Level.ERROR, () -> "connection manager fault on " + message, e);
        }
    }

    SoftContext context() {
        return context;
    }

    Engine engine() {
        return context.engine();
    }

    CmAgent agent() {
        return agent;
    }

    /// Another id uses the device; the caller must know that one does already.
    SharedDevice retain() {
        users.incrementAndGet();
        return this;
    }

    /// Returns whether no id uses it any more.
    boolean release() {
        return users.decrementAndGet() == 0;
    }

    boolean isUnused() {
        return users.get() == 0 && agent.isIdle();
    }

    synchronized ProtectionDomain domain() {
        if (domain == null) {
            domain = context.allocateProtectionDomain();
        }
        return domain;
    }

    /// Throws EBUSY when the program still has objects of it.
    synchronized void close() {
        if (domain != null) {
            domain.close();
            domain = null;
        }
        context.close();
    }
}
