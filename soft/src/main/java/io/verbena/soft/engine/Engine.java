package io.verbena.soft.engine;

import io.verbena.roce.mad.CmMessage;
import io.verbena.soft.engine.DutyCycle.Scope;
import io.verbena.soft.limit.SoftLimits;
import io.verbena.soft.local.LocalDevice;
import io.verbena.soft.mem.MemoryTable;
import io.verbena.soft.net.Wire;
import io.verbena.soft.os.BiasedLock;
import io.verbena.soft.os.NanoClock;
import io.verbena.soft.shard.ServicePorts;
import io.verbena.soft.shard.ShardNumbers;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/// The duty cycle of a device: receive, respond, emit, time out. Its queue pairs, timers and packets belong to the
/// thread that holds the engine's lock, the owner. Data paths only try the lock; control paths wait for it. No program
/// code runs under the lock, and no thread holds it for long, with two exceptions: a FLUSH that makes mapped memory
/// persistent waits for its disk, and closing waits for copies under way. The local path needs the lock only for rare
/// events ([LocalDevice]).
///
/// Three kinds of threads run the duty cycle: a thread that posts (it emits its requests), a thread that polls (it
/// receives and emits), and the device's thread when no other does; see [Driver].
public final class Engine {
    private final Wire wire;
    private final NanoClock clock;
    private final Simulation simulation;
    private final Counters counters = new Counters();
    private final Timers timers = new Timers();
    private final Timers lazyTimers = new Timers();
    private final MemoryTable memory;
    private final ShardNumbers numbers;
    private final ServicePorts services;
    private final QueuePairTable queuePairs;
    private final MulticastTable multicast;
    private final Transmitter transmitter;
    private final ManagementPort management;
    private final Driver driver;
    /// Null when all connections go over the network.
    private final LocalDevice local;

    private final BiasedLock ownership = new BiasedLock();
    private final ControlPriority control;
    private final DutyCycle cycle;
    private final EngineFaults faults;

    /// Queue pairs whose packets go over the network.
    private volatile int networkUsers;

    private final LocalPeerTimer localPeerTimer = new LocalPeerTimer(this);

    /// @param local null when all connections go over the network
    public Engine(
            Wire wire,
            NanoClock clock,
            RandomGenerator random,
            int maxQueuePairs,
            Simulation simulation,
            LocalDevice local) {
        this(
                wire,
                clock,
                simulation,
                local,
                new MemoryTable(random, SoftLimits.MAX_MEMORY_REGIONS, SoftLimits.MAX_MEMORY_WINDOWS),
                new PeerKinds(),
                wire.sharedAddress() == null
                        ? ShardNumbers.all(random)
                        : wire.sharedAddress().numbers(),
                maxQueuePairs);
    }

    /// Another engine of the same device, with its memory keys.
    public Engine another(Wire itsWire, LocalDevice itsLocal) {
        Engine another = new Engine(
                itsWire,
                clock,
                simulation,
                itsLocal,
                memory,
                management.peerKinds(),
                itsWire.sharedAddress().numbers(),
                queuePairs.limit());
        another.management.handler(this::passOn);
        return another;
    }

    /// Of a message that came to another engine: requests to a port where nobody listens come to any shard of the
    /// address.
    private void passOn(CmMessage message, long sourceHigh, long sourceLow, long nowNs) {
        if (cycle.tasks().addMessage(() -> management.onMessage(message, sourceHigh, sourceLow, clock.nowNs()))) {
            driver.onTask();
        }
    }

    private Engine(
            Wire wire,
            NanoClock clock,
            Simulation simulation,
            LocalDevice local,
            MemoryTable memory,
            PeerKinds peerKinds,
            ShardNumbers numbers,
            int maxQueuePairs) {
        this.wire = wire;
        this.faults = new EngineFaults(counters, wire.localAddress());
        this.local = local;
        if (local != null) {
            counters.localMessages(local::messages);
            local.onNeighbourEnded(() -> executeSoon(localPeerTimer::checkSoon));
        }
        this.clock = clock;
        this.control = new ControlPriority(clock);
        this.simulation = simulation;
        this.memory = memory;
        this.numbers = numbers;
        this.services = wire.sharedAddress() == null ? ServicePorts.ALONE : wire.sharedAddress();
        this.queuePairs = new QueuePairTable(numbers, maxQueuePairs);
        this.transmitter = new Transmitter(wire, counters);
        this.management = new ManagementPort(transmitter, counters, peerKinds);
        this.multicast = new MulticastTable(wire);
        this.cycle = new DutyCycle(this, faults);
        this.driver = new Driver(this);
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

    /// The simulation that this engine is part of; null in real time.
    public Simulation simulation() {
        return simulation;
    }

    public Counters counters() {
        return counters;
    }

    public Timers timers() {
        return timers;
    }

    /// Those that no sleeping thread has to wake for: they expire when a thread runs the engine anyway.
    Timers lazyTimers() {
        return lazyTimers;
    }

    public MemoryTable memory() {
        return memory;
    }

    /// The memory that this device shares with neighbours; null when it shares none.
    public LocalDevice local() {
        return local;
    }

    /// Whether all queue pairs take the local path, so that it is enough to poll only that path for a while. From any
    /// thread.
    boolean isLocalOnly() {
        return networkUsers == 0 && local != null && local.count() > 0;
    }

    /// A queue pair began or ceased to use the network. Owner only.
    public void countNetworkUsers(int change) {
        networkUsers += change;
    }

    /// There is a connection over the local path, or there may be. Owner only.
    public void onLocalPathUsed() {
        localPeerTimer.checkSoon();
    }

    public QueuePairTable queuePairs() {
        return queuePairs;
    }

    /// The numbers that this device may give. Owner only.
    public ShardNumbers numbers() {
        return numbers;
    }

    /// Which ports of the address are listened to.
    public ServicePorts services() {
        return services;
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

    /// Sends and receives connection messages. Owner only.
    public ManagementPort management() {
        return management;
    }

    /// Runs a control task as owner, then sends what it caused. Waits for the engine's lock, and gets it before the
    /// next batch of packets.
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
        boolean waited = control.lock(ownership);
        try {
            runEarlierTasks();
            return task.get();
        } finally {
            // Even when the task failed: other threads may have posted meanwhile and rely on the owner.
            try {
                cycle.run(clock.nowNs(), Scope.POSTED, true);
            } finally {
                ownership.unlock();
                runPosted();
                if (waited) {
                    driver.resume();
                }
            }
        }
    }

    /// Runs a control task as owner, soon and perhaps in another thread, but never in the middle of another task. For
    /// the owner of another engine, which must not wait for this one.
    public void executeSoon(Runnable task) {
        cycle.tasks().add(task);
        driver.onTask();
    }

    /// Like [#execute], after all packets and messages that have arrived. For what a message to another engine demands:
    /// its sender sent others to this one before.
    public void executeAfterArrivals(Runnable task) {
        if (ownership.isHeldByCurrentThread()) {
            task.run();
            return;
        }
        execute(() -> {
            cycle.takeArrivals();
            task.run();
        });
    }

    /// Faults of earlier tasks are not the caller's.
    private void runEarlierTasks() {
        try {
            cycle.tasks().run();
        } catch (RuntimeException e) {
            onDriverFault(e);
        }
    }

    /// Emits posted requests, unless another thread owns the engine: the owner checks for posted requests after
    /// releasing the lock.
    private void runPosted() {
        while (cycle.hasPosted() && ownership.tryLock()) {
            try {
                cycle.run(clock.nowNs(), Scope.POSTED, false);
            } finally {
                ownership.unlock();
            }
        }
        driver.onDeadlineMoved(cycle.nextDeadlineNs());
    }

    /// Emits the posted requests of a queue pair: at once if no other queue pair waits, else in line with the others.
    /// From any thread.
    public void emitSoon(ServedQueuePair qp) {
        if (!emitNow(qp)) {
            cycle.posted().add(qp);
            runPosted();
        }
    }

    /// Runs a queue pair soon: at once, or by the present owner if another thread owns the engine. From any thread,
    /// including the owner.
    public void runSoon(ServedQueuePair qp) {
        if (ownership.isHeldByCurrentThread()) {
            activate(qp);
        } else {
            cycle.posted().add(qp);
            runPosted();
        }
    }

    /// Runs one full cycle for a program that polls, unless another thread owns the engine. With `acknowledge`,
    /// acknowledgements leave at once. Without, they wait for the program's next call, so that they follow its reply
    /// instead of preceding it.
    public int poll(boolean acknowledge) {
        driver.onProgramDrives();
        return drive(acknowledge);
    }

    /// Like [#drive], for a waiting thread that spins: makes no system call where all queue pairs take the local path.
    /// Callers must mix in calls of [#drive].
    public int spin(boolean acknowledge) {
        return drive(isLocalOnly() ? Scope.LOCAL : Scope.ALL, acknowledge);
    }

    /// Emits the posted requests of one queue pair, if no other queue pair waits and no other thread owns the engine.
    /// False when the queue pair must still be added to the posted ones.
    private boolean emitNow(ServedQueuePair qp) {
        if (!ownership.tryLock()) {
            counters.incrementAtomically(Counter.ENGINE_BUSY);
            return false;
        }
        boolean emitted;
        try {
            emitted = cycle.emitAlone(qp);
        } finally {
            ownership.unlock();
        }
        runPosted();
        return emitted;
    }

    /// Like [#poll], for a waiting thread. It does not count as the program driving the engine.
    public int drive(boolean acknowledge) {
        return drive(Scope.ALL, acknowledge);
    }

    private int drive(Scope scope, boolean acknowledge) {
        if (control.mustYield() || !ownership.tryLock()) {
            counters.incrementAtomically(Counter.ENGINE_BUSY);
            return 0;
        }
        int work;
        try {
            work = cycle.run(clock.nowNs(), scope, acknowledge);
        } finally {
            ownership.unlock();
            control.onDriven();
        }
        runPosted();
        return work;
    }

    /// For a simulation: one full cycle at a given time.
    public int step(long nowNs) {
        ownership.lock();
        try {
            return cycle.run(nowNs, Scope.ALL, true);
        } finally {
            ownership.unlock();
        }
    }

    /// How often a thread took the engine's lock from the one that usually takes it, which interrupts that thread if it
    /// runs: see [io.verbena.soft.os.AsymmetricFence].
    public long lockRevocations() {
        return ownership.revocations();
    }

    /// Whether a thread owns the engine at the moment, as a hint.
    boolean isOwned() {
        return ownership.isHeld();
    }

    public long untilNextDeadlineNs() {
        return cycle.tasks().isEmpty() ? Math.max(0, cycle.nextDeadlineNs() - clock.nowNs()) : 0;
    }

    /// From any thread.
    void onDriverFault(Throwable fault) {
        faults.onCycle(fault);
    }

    /// Sets the listener for the first fault that is not of one queue pair. It runs in any thread and must not wait.
    public void onFault(Runnable listener) {
        faults.listener(listener);
    }

    /// Puts a queue pair that can emit in line. Owner only.
    public void activate(ServedQueuePair qp) {
        cycle.active().add(qp);
    }

    /// Adds a queue pair to those that have an acknowledgement to send. Owner only.
    public void acknowledgeSoon(ServedQueuePair qp) {
        cycle.acknowledging().add(qp);
    }

    /// A fault while running one queue pair ends that queue pair, not the engine.
    public void onFault(ServedQueuePair qp, RuntimeException fault) {
        faults.onQueuePair(qp, fault);
    }

    /// Forgets a queue pair that is being closed. Owner only.
    public void remove(ServedQueuePair qp) {
        queuePairs.remove(qp);
        if (local != null) {
            local.withdrawQueuePair(qp.number());
        }
        cycle.remove(qp);
    }

    /// Sends queued packets and closes the wire. No thread may run the engine afterwards.
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
