package io.verbena.soft.engine;

import io.verbena.soft.net.Wire;

/// One turn of an engine: tasks, lanes, packets, timers, then what queue pairs have to send. Owned by the engine's
/// owner, except where methods say otherwise.
final class DutyCycle {
    /// Frames taken from the wire in one turn.
    private static final int RECEIVE_BATCH = 64;

    /// Frames that may have come before another one, to another engine, that ends a connection.
    private static final int MOST_ARRIVALS = 1024;

    /// How long an acknowledgement waits for the program's next call before another thread sends it.
    private static final long ACKNOWLEDGE_WITHIN_NS = 1_000_000;

    /// Keeps a persistent fault from using a whole processor.
    private static final long PAUSE_AFTER_FAULT_NS = 10_000_000;

    /// Which part is run.
    enum Scope {
        /// Posted requests.
        POSTED,
        /// Posted requests, and the lanes.
        LOCAL,
        /// Everything.
        ALL
    }

    private final Engine engine;
    private final Wire wire;
    private final Transmitter transmitter;
    private final PacketDispatcher dispatcher;
    private final EngineFaults faults;
    private final ControlTasks tasks = new ControlTasks();
    private final PostedQueuePairs posted = new PostedQueuePairs();
    private final ActiveQueuePairs active;
    private final AcknowledgingQueuePairs acknowledging;
    private final ExpiryPolicy expiry;

    /// Frames of the last turn.
    private int received;

    private volatile long nextDeadlineNs;

    DutyCycle(Engine engine, EngineFaults faults) {
        this.engine = engine;
        this.wire = engine.wire();
        this.transmitter = engine.transmitter();
        this.dispatcher = new PacketDispatcher(engine);
        this.faults = faults;
        this.active = new ActiveQueuePairs(engine);
        this.acknowledging = new AcknowledgingQueuePairs(engine);
        long nowNs = engine.nowNs();
        this.expiry = new ExpiryPolicy(nowNs);
        this.nextDeadlineNs = nowNs + Timers.NEVER_NS;
    }

    /// From any thread.
    ControlTasks tasks() {
        return tasks;
    }

    /// The queue pairs that wait for the owner. From any thread.
    PostedQueuePairs posted() {
        return posted;
    }

    ActiveQueuePairs active() {
        return active;
    }

    AcknowledgingQueuePairs acknowledging() {
        return acknowledging;
    }

    /// Whether tasks or posted queue pairs wait. From any thread.
    boolean hasPosted() {
        return !posted.isEmpty() || !tasks.isEmpty();
    }

    /// When the engine must be run next, unless something arrives. From any thread.
    long nextDeadlineNs() {
        return nextDeadlineNs;
    }

    /// Runs a turn. Faults are not the caller's: they are counted and reported as faults of the device.
    int run(long nowNs, Scope scope, boolean acknowledge) {
        try {
            return runParts(nowNs, scope, acknowledge);
        } catch (RuntimeException e) {
            nextDeadlineNs = nowNs + PAUSE_AFTER_FAULT_NS;
            faults.onCycle(e);
            return 0;
        }
    }

    private int runParts(long nowNs, Scope scope, boolean acknowledge) {
        tasks.run();
        posted.takeAll(active);
        // The local path comes first: a neighbour may have written messages there before it disconnected over the
        // network.
        int work = scope == Scope.POSTED || engine.local() == null
                ? 0
                : engine.local().progress(acknowledge);
        received = scope == Scope.ALL ? receive(nowNs) : 0;
        work += received;
        if (scope == Scope.ALL && expiry.mayExpire(nowNs, received)) {
            work += expireTimers(nowNs);
        }
        work += active.emit(nowNs);
        finish(nowNs, received, acknowledge);
        return work;
    }

    /// Takes what has arrived.
    void takeArrivals() {
        int frames = 0;
        do {
            run(engine.nowNs(), Scope.ALL, true);
            frames += received;
        } while (received > 0 && frames < MOST_ARRIVALS);
    }

    /// Emits the posted requests of one queue pair. False when another one waits before it.
    boolean emitAlone(ServedQueuePair qp) {
        if (!active.isEmpty() || !posted.isEmpty()) {
            return false;
        }
        try {
            active.emit(qp, expiry.lastNs());
            transmitter.flush();
            // Reading the clock can wait until the packet is sent.
            finish(engine.nowNs(), 0, false);
        } catch (RuntimeException e) {
            nextDeadlineNs = engine.nowNs() + PAUSE_AFTER_FAULT_NS;
            faults.onCycle(e);
        }
        return true;
    }

    private int receive(long nowNs) {
        dispatcher.nowNs(nowNs);
        return wire.receive(dispatcher, RECEIVE_BATCH);
    }

    private int expireTimers(long nowNs) {
        int expired =
                engine.timers().expire(nowNs, faults) + engine.lazyTimers().expire(nowNs, faults);
        if (expired > 0) {
            engine.counters().add(Counter.TIMERS_EXPIRED, expired);
        }
        return expired;
    }

    private void finish(long nowNs, int frames, boolean acknowledge) {
        if (acknowledging.isDue(frames, acknowledge)) {
            if (!acknowledging.isEmpty()) {
                // Posted requests leave by themselves. In one system call with acknowledgements they would arrive
                // later.
                transmitter.flush();
            }
            acknowledging.send(nowNs, acknowledge);
        }
        transmitter.flush();
        publishDeadline(nowNs);
    }

    /// A volatile store is not free, so there is none while the deadline stays the same.
    private void publishDeadline(long nowNs) {
        long dueNs = nowNs + untilNextNs(nowNs);
        if (dueNs != nextDeadlineNs) {
            nextDeadlineNs = dueNs;
        }
    }

    private long untilNextNs(long nowNs) {
        // While the socket is full, the wire wakes this thread when there is room again.
        if (!active.isEmpty() && !transmitter.isRefused()) {
            return 0;
        }
        long timerNs = engine.timers().untilNextNs(nowNs);
        return acknowledging.isEmpty() ? timerNs : Math.min(timerNs, ACKNOWLEDGE_WITHIN_NS);
    }

    void remove(ServedQueuePair qp) {
        active.remove(qp);
        acknowledging.remove(qp);
        posted.takeAll(active);
        active.remove(qp);
    }
}
