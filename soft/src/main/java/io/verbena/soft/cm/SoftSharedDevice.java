package io.verbena.soft.cm;

import io.verbena.roce.mad.CmMessage;
import io.verbena.soft.device.ContextHold;
import io.verbena.soft.device.SoftContext;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.engine.ManagementHandler;
import io.verbena.verbs.Errno;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.RdmaException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/// A device that several ids use: one open context, its connection manager, and a protection domain for programs that
/// need only one.
final class SoftSharedDevice {
    private static final Logger LOG = System.getLogger(SoftSharedDevice.class.getName());

    private final SoftContext context;
    private final CmAgent agent;
    private final AtomicInteger users = new AtomicInteger();
    private final ContextHold hold;
    private final Runnable listener;
    private volatile Thread closing;
    private ProtectionDomain domain;

    /// @param onIdle called when the last connection or an object of the program is closed; must not wait
    /// @param ids names the ids that use the device
    SoftSharedDevice(
            SoftContext context,
            Consumer<SoftSharedDevice> onIdle,
            Function<SoftSharedDevice, List<? extends AutoCloseable>> ids) {
        this.context = context;
        this.hold = new Hold(() -> ids.apply(this));
        this.listener = () -> {
            if (closing != Thread.currentThread()) {
                onIdle.accept(this);
            }
        };
        context.hold(hold, listener);
        this.agent = new CmAgent(new EnginePort(context), context.device().random(), () -> onIdle.accept(this));
        ManagementHandler handler = (message, high, low, nowNs) -> onMessage(message, high, low);
        engine().execute(() -> engine().management().handler(handler));
    }

    /// A fault in a message handler must not stop the engine.
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

    /// The engine that serves the connection manager.
    Engine engine() {
        return context.engines().first();
    }

    CmAgent agent() {
        return agent;
    }

    /// Another id uses the device; the caller must know that one does already.
    SoftSharedDevice retain() {
        users.incrementAndGet();
        return this;
    }

    /// Returns whether no id uses it any more.
    boolean release() {
        return users.decrementAndGet() == 0;
    }

    boolean hasUsers() {
        return users.get() > 0;
    }

    boolean isUnused() {
        return !hasUsers() && agent.isIdle();
    }

    synchronized ProtectionDomain domain() {
        if (domain == null) {
            domain = context.allocateProtectionDomain();
        }
        return domain;
    }

    /// Throws EBUSY when the program still has objects of it.
    synchronized void close() {
        closing = Thread.currentThread();
        boolean closed = false;
        try {
            if (domain != null) {
                domain.close();
                domain = null;
            }
            context.removeUser(hold);
            context.close();
            closed = true;
        } finally {
            if (!closed) {
                context.hold(hold, listener);
            }
            closing = null;
        }
    }

    /// Keeps programs from closing the context under the ids.
    private final class Hold implements ContextHold {
        private final Supplier<List<? extends AutoCloseable>> ids;

        Hold(Supplier<List<? extends AutoCloseable>> ids) {
            this.ids = ids;
        }

        @Override
        public List<? extends AutoCloseable> users() {
            return ids.get();
        }

        @Override
        public boolean owns(AutoCloseable child) {
            synchronized (SoftSharedDevice.this) {
                return child == domain;
            }
        }

        @Override
        public void close() {
            throw new RdmaException("close context", Errno.EBUSY, this + " use it; close these first");
        }

        @Override
        public String toString() {
            return "connection ids " + users();
        }
    }
}
