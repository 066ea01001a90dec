package io.verbena.soft.engine;

import io.verbena.soft.limit.SoftLimits;
import io.verbena.soft.local.LocalDevice;
import io.verbena.soft.mem.MemoryTable;
import io.verbena.soft.net.Wire;
import io.verbena.soft.os.BiasedLock;
import io.verbena.soft.os.NanoClock;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/// The duty cycle of a device: receive, respond, emit, time out. Its queue pairs, timers and packets belong to whoever
/// owns the engine; ownership is a lock that data paths only try and control paths wait for. No program code runs
/// under it, and nobody holds it for long; only a FLUSH that makes mapped memory persistent waits for its disk, and
/// closing for copies under way. The local path needs it only for what is rare ([LocalDevice]).
///
/// Three kinds of threads run the cycle: one that posts (emits what it posted), one that polls (receives and
/// emits), and the device's own thread when nobody else does; see [Driver].
public final class Engine {
    /// Frames taken from the wire in one cycle.
    private static final int RECEIVE_BATCH = 64;
    /// How long an acknowledgement waits for the program's next call before somebody else sends it.
    private static final long ACKNOWLEDGE_WITHIN_NS = 1_000_000;

    /// How soon the sudden end of a process on this host is noticed.
    private static final long CHECK_PEERS_EVERY_NS = 100_000_000;

    /// So that a fault that happens again and again does not keep a processor busy.
    private static final long PAUSE_AFTER_FAULT_NS = 10_000_000;

    private final Wire wire;
    private final NanoClock clock;
    private final Simulation simulation;
    private final Counters counters = new Counters();
    private final Timers timers = new Timers();
    private final MemoryTable memory;
    private final QueuePairTable queuePairs;
    private final MulticastTable multicast;
    private final Transmitter transmitter;
    private final ManagementPort management;
    private final PacketDispatcher dispatcher;
    private final Driver driver;
    /// Null when all connections go over the network.
    private final LocalDevice local;

    private final BiasedLock ownership = new BiasedLock();
    private final ActiveQueuePairs active = new ActiveQueuePairs(this);
    private final AcknowledgingQueuePairs acknowledging = new AcknowledgingQueuePairs(this);

    private final PostedQueuePairs posted = new PostedQueuePairs();

    private volatile long nextDeadlineNs;
    private final EngineFaults faults;

    /// Queue pairs whose packets go over the network.
    private volatile int networkUsers;

    private final Timer checkPeers = new Timer() {
        @Override
        public void onExpiry(long nowNs) {
            local.checkPeers();
            onLocalPathUsed();
        }
    };

    private final ArrivalPace arrivals;

    /// @param local null when all connections go over the network
    public Engine(
            Wire wire,
            NanoClock clock,
            RandomGenerator random,
            int maxQueuePairs,
            Simulation simulation,
            LocalDevice local) {
        this.wire = wire;
        this.faults = new EngineFaults(counters, wire.localAddress());
        this.local = local;
        if (local != null) {
            counters.sharedMessages(local::messages);
        }
        this.clock = clock;
        this.simulation = simulation;
        this.memory = new MemoryTable(random, SoftLimits.MAX_MEMORY_REGIONS, SoftLimits.MAX_MEMORY_WINDOWS);
        this.queuePairs = new QueuePairTable(random, maxQueuePairs);
        this.transmitter = new Transmitter(wire, counters);
        this.management = new ManagementPort(transmitter, counters);
        this.multicast = new MulticastTable(wire);
        this.dispatcher = new PacketDispatcher(this, queuePairs, multicast, management, counters);
        this.driver = new Driver(this);
        this.arrivals = new ArrivalPace(clock.nowNs());
        this.nextDeadlineNs = clock.nowNs() + Timers.NEVER_NS;
    }

    public Wire wire() {
        return wire;
    }

    public NanoClock clock() {
        return clock;
    }

    public long nowNs() {
        return clock.nowNs();
    }

    /// The world under a virtual clock this engine lives in; null in the real one.
    public Simulation simulation() {
        return simulation;
    }

    public Counters counters() {
        return counters;
    }

    public Timers timers() {
        return timers;
    }

    public MemoryTable memory() {
        return memory;
    }

    /// What this device shares with others of this host; null when nothing.
    public LocalDevice local() {
        return local;
    }

    /// Whether all that happens is on the local path, so that looking there is enough for a while. From any thread.
    boolean isLocalOnly() {
        return networkUsers == 0 && local != null && local.count() > 0;
    }

    /// A queue pair began or ceased to use the network. Owner only.
    public void countNetworkUsers(int change) {
        networkUsers += change;
    }

    /// There is a connection over the local path, or there may be. Owner only.
    public void onLocalPathUsed() {
        if (local.count() > 0 && !checkPeers.isArmed()) {
            timers.arm(checkPeers, clock.nowNs() + CHECK_PEERS_EVERY_NS);
        }
    }

    public QueuePairTable queuePairs() {
        return queuePairs;
    }

    public MulticastTable multicast() {
        return multicast;
    }

    public Transmitter transmitter() {
        return transmitter;
    }

    public Driver driver() {
        return driver;
    }

    /// Where connection messages come and go. Owner only.
    public ManagementPort management() {
        return management;
    }

    /// Runs a control task as owner, then sends what it caused. Waits for ownership, which is never held for long.
    public void execute(Runnable task) {
        call(() -> {
            task.run();
            return null;
        });
    }

    public <T> T call(Supplier<T> task) {
        if (ownership.isHeldByCurrentThread()) {
            return task.get();
        }
        ownership.lock();
        try {
            return task.get();
        } finally {
            // Also when the task failed: others may have posted meanwhile and rely on the owner.
            try {
                cycle(clock.nowNs(), Scope.POSTED, true);
            } finally {
                ownership.unlock();
                runPosted();
            }
        }
    }

    /// Emits what was posted, unless the present owner will do it: it looks again after letting go.
    private void runPosted() {
        while (!posted.isEmpty() && ownership.tryLock()) {
            try {
                cycle(clock.nowNs(), Scope.POSTED, false);
            } finally {
                ownership.unlock();
            }
        }
        driver.onDeadlineMoved(nextDeadlineNs);
    }

    /// Emits what a queue pair has posted: at once if nothing else waits, else with the others. From any thread.
    public void emitSoon(ServedQueuePair qp) {
        if (!emitNow(qp)) {
            posted.add(qp);
            runPosted();
        }
    }

    /// Sees to a queue pair soon: at once, unless somebody else owns the engine, who then does. From any thread, which
    /// may own the engine itself.
    public void runSoon(ServedQueuePair qp) {
        if (ownership.isHeldByCurrentThread()) {
            activate(qp);
        } else {
            posted.add(qp);
            runPosted();
        }
    }

    /// Runs one full cycle for a program that polls, unless somebody else is at it. With `acknowledge`,
    /// acknowledgements
    /// leave at once; without, they wait for the program's next call, to travel behind its answer rather than
    /// before it.
    public int poll(boolean acknowledge) {
        driver.onProgramDrives();
        return drive(acknowledge);
    }

    /// As [#drive], for a thread that waits and spins meanwhile: without a system call where all queue pairs take the
    /// local path. Not for long without a [#drive] in between.
    public int spin(boolean acknowledge) {
        return drive(isLocalOnly() ? Scope.LOCAL : Scope.ALL, acknowledge);
    }

    /// Emits what one queue pair has posted, if nothing else waits and nobody else is at the engine. False when it is
    /// still to be announced.
    private boolean emitNow(ServedQueuePair qp) {
        if (!ownership.tryLock()) {
            return false;
        }
        boolean emitted = !qp.inActive && active.isEmpty() && posted.isEmpty();
        try {
            if (emitted) {
                active.emit(qp, arrivals.lastNs());
                transmitter.flush();
                // What needs the time comes when the packet is out.
                long nowNs = clock.nowNs();
                finish(nowNs, 0, false);
                deadline(nowNs);
            }
        } catch (RuntimeException e) {
            nextDeadlineNs = clock.nowNs() + PAUSE_AFTER_FAULT_NS;
            onDriverFault(e);
        } finally {
            ownership.unlock();
        }
        runPosted();
        return emitted;
    }

    /// As [#poll], for a thread that waits: it does not count as the program driving.
    public int drive(boolean acknowledge) {
        return drive(Scope.ALL, acknowledge);
    }

    private int drive(Scope scope, boolean acknowledge) {
        if (!ownership.tryLock()) {
            return 0;
        }
        int work;
        try {
            work = cycle(clock.nowNs(), scope, acknowledge);
        } finally {
            ownership.unlock();
        }
        runPosted();
        return work;
    }

    /// For a simulation: one full cycle at a given time.
    public int step(long nowNs) {
        ownership.lock();
        try {
            return cycle(nowNs, Scope.ALL, true);
        } finally {
            ownership.unlock();
        }
    }

    /// Whether somebody runs it just now, as a hint.
    boolean isOwned() {
        return ownership.isHeld();
    }

    public long untilNextDeadlineNs() {
        return Math.max(0, nextDeadlineNs - clock.nowNs());
    }

    /// How much of a cycle is run.
    private enum Scope {
        /// What was posted.
        POSTED,
        /// What was posted, and the lanes.
        LOCAL,
        /// Everything.
        ALL
    }

    /// Faults in the cycle are not the caller's: they are counted and reported as faults of the device.
    private int cycle(long nowNs, Scope scope, boolean acknowledge) {
        try {
            return run(nowNs, scope, acknowledge);
        } catch (RuntimeException e) {
            nextDeadlineNs = nowNs + PAUSE_AFTER_FAULT_NS;
            return onDriverFault(e);
        }
    }

    private int run(long nowNs, Scope scope, boolean acknowledge) {
        posted.takeAll(active);
        // What a neighbour put into memory before it said good-bye over the network comes first.
        int work = scope == Scope.POSTED || local == null ? 0 : local.progress(acknowledge);
        int received = scope == Scope.ALL ? receive(nowNs) : 0;
        work += received;
        if (scope == Scope.ALL && arrivals.mayExpire(nowNs, received)) {
            work += timers.expire(nowNs, faults);
        }
        work += active.emit(nowNs);
        finish(nowNs, received, acknowledge);
        deadline(nowNs);
        return work;
    }

    /// A store that others see costs a little, so there is none when nothing moved.
    private void deadline(long nowNs) {
        long dueNs = nowNs + untilNextNs(nowNs);
        if (dueNs != nextDeadlineNs) {
            nextDeadlineNs = dueNs;
        }
    }

    private void finish(long nowNs, int received, boolean acknowledge) {
        if (acknowledging.isDue(received, acknowledge)) {
            if (!acknowledging.isEmpty()) {
                // What was posted leaves alone: in one call with more it would arrive later.
                transmitter.flush();
            }
            acknowledging.send(nowNs, acknowledge);
        }
        transmitter.flush();
    }

    /// Returns how much work was done: none. From any thread.
    public int onDriverFault(Throwable fault) {
        faults.onCycle(fault);
        return 0;
    }

    /// What to do at the first fault that is no queue pair's. Runs in any thread and must not wait.
    public void onFault(Runnable listener) {
        faults.listener(listener);
    }

    private int receive(long nowNs) {
        dispatcher.nowNs(nowNs);
        return wire.receive(dispatcher, RECEIVE_BATCH);
    }

    private long untilNextNs(long nowNs) {
        // While the network takes nothing, the wire wakes us when it does again.
        if (!active.isEmpty() && !transmitter.isRefused()) {
            return 0;
        }
        long timerNs = timers.untilNextNs(nowNs);
        return acknowledging.isEmpty() ? timerNs : Math.min(timerNs, ACKNOWLEDGE_WITHIN_NS);
    }

    /// Puts a queue pair that can emit in line. Owner only.
    public void activate(ServedQueuePair qp) {
        active.add(qp);
    }

    /// Notes that a queue pair has an acknowledgement to send. Owner only.
    public void acknowledgeSoon(ServedQueuePair qp) {
        acknowledging.add(qp);
    }

    /// A fault in one queue pair's step is that queue pair's end, not the engine's.
    public void onFault(ServedQueuePair qp, RuntimeException fault) {
        faults.onQueuePair(qp, fault);
    }

    /// Forgets a queue pair that is being closed. Owner only.
    public void remove(ServedQueuePair qp) {
        queuePairs.remove(qp);
        if (local != null) {
            local.hide(qp.number());
        }
        active.remove(qp);
        acknowledging.remove(qp);
        posted.takeAll(active);
        active.remove(qp);
    }

    /// Sends what is left and closes the wire. Nobody may run the engine any more.
    public void close() {
        execute(() -> {});
        try {
            if (local != null) {
                local.close();
            }
        } finally {
            wire.close();
        }
    }
}
