package io.verbena.soft.engine;

import io.verbena.roce.mad.CmMessage;
import io.verbena.soft.limit.SoftLimits;
import io.verbena.soft.local.LocalDevice;
import io.verbena.soft.mem.MemoryTable;
import io.verbena.soft.net.Wire;
import io.verbena.soft.os.BiasedLock;
import io.verbena.soft.os.NanoClock;
import io.verbena.soft.shard.ServicePorts;
import io.verbena.soft.shard.ShardNumbers;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
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
    /// Frames taken from the wire in one cycle.
    private static final int RECEIVE_BATCH = 64;
    /// Frames that may have come before another one, to another engine, that ends a connection.
    private static final int MOST_ARRIVALS = 1024;

    /// How long an acknowledgement waits for the program's next call before another thread sends it.
    private static final long ACKNOWLEDGE_WITHIN_NS = 1_000_000;

    /// Keeps a persistent fault from using a whole processor.
    private static final long PAUSE_AFTER_FAULT_NS = 10_000_000;

    private final Wire wire;
    private final NanoClock clock;
    private final Simulation simulation;
    private final Counters counters = new Counters();
    private final Timers timers = new Timers();
    private final MemoryTable memory;
    private final ShardNumbers numbers;
    private final ServicePorts services;
    private final QueuePairTable queuePairs;
    private final MulticastTable multicast;
    private final Transmitter transmitter;
    private final ManagementPort management;
    private final PacketDispatcher dispatcher;
    private final Driver driver;
    /// Null when all connections go over the network.
    private final LocalDevice local;

    private final BiasedLock ownership = new BiasedLock();
    private final ControlPriority control;
    private final ActiveQueuePairs active = new ActiveQueuePairs(this);
    private final AcknowledgingQueuePairs acknowledging = new AcknowledgingQueuePairs(this);

    private final PostedQueuePairs posted = new PostedQueuePairs();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    /// Messages of the connection manager among the tasks.
    private final AtomicInteger passedOn = new AtomicInteger();

    /// Frames of the last cycle.
    private int received;

    private volatile long nextDeadlineNs;
    private final EngineFaults faults;

    /// Queue pairs whose packets go over the network.
    private volatile int networkUsers;

    private final LocalPeerTimer localPeerTimer = new LocalPeerTimer(this);

    private final ExpiryPolicy expiry;

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
    /// address. A flood is not kept: peers repeat what they want answered.
    private void passOn(CmMessage message, long sourceHigh, long sourceLow, long nowNs) {
        if (passedOn.incrementAndGet() > RECEIVE_BATCH) {
            passedOn.decrementAndGet();
            return;
        }
        executeSoon(() -> {
            passedOn.decrementAndGet();
            management.onMessage(message, sourceHigh, sourceLow, clock.nowNs());
        });
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
        this.dispatcher = new PacketDispatcher(this);
        this.driver = new Driver(this);
        this.expiry = new ExpiryPolicy(clock.nowNs());
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
        localPeerTimer.arm();
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
                cycle(clock.nowNs(), Scope.POSTED, true);
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
        tasks.add(task);
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
            int frames = 0;
            do {
                cycle(clock.nowNs(), Scope.ALL, true);
                frames += received;
            } while (received > 0 && frames < MOST_ARRIVALS);
            task.run();
        });
    }

    private void runTasks() {
        Runnable task = tasks.poll();
        for (int i = 1; task != null; i++) {
            task.run();
            task = i < RECEIVE_BATCH ? tasks.poll() : null;
        }
    }

    /// Faults of earlier tasks are not the caller's.
    private void runEarlierTasks() {
        try {
            runTasks();
        } catch (RuntimeException e) {
            onDriverFault(e);
        }
    }

    /// Emits posted requests, unless another thread owns the engine: the owner checks for posted requests after
    /// releasing the lock.
    private void runPosted() {
        while ((!posted.isEmpty() || !tasks.isEmpty()) && ownership.tryLock()) {
            try {
                cycle(clock.nowNs(), Scope.POSTED, false);
            } finally {
                ownership.unlock();
            }
        }
        driver.onDeadlineMoved(nextDeadlineNs);
    }

    /// Emits the posted requests of a queue pair: at once if no other queue pair waits, else in line with the others.
    /// From any thread.
    public void emitSoon(ServedQueuePair qp) {
        if (!emitNow(qp)) {
            posted.add(qp);
            runPosted();
        }
    }

    /// Runs a queue pair soon: at once, or by the present owner if another thread owns the engine. From any thread,
    /// including the owner.
    public void runSoon(ServedQueuePair qp) {
        if (ownership.isHeldByCurrentThread()) {
            activate(qp);
        } else {
            posted.add(qp);
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
        boolean emitted = active.isEmpty() && posted.isEmpty();
        try {
            if (emitted) {
                active.emit(qp, expiry.lastNs());
                transmitter.flush();
                // Reading the clock can wait until the packet is sent.
                long nowNs = clock.nowNs();
                finish(nowNs, 0, false);
                publishDeadline(nowNs);
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
            work = cycle(clock.nowNs(), scope, acknowledge);
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
            return cycle(nowNs, Scope.ALL, true);
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
        return tasks.isEmpty() ? Math.max(0, nextDeadlineNs - clock.nowNs()) : 0;
    }

    /// Which part of the duty cycle is run.
    private enum Scope {
        /// Posted requests.
        POSTED,
        /// Posted requests, and the lanes.
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
        runTasks();
        posted.takeAll(active);
        // The local path comes first: a neighbour may have written messages there before it disconnected over the
        // network.
        int work = scope == Scope.POSTED || local == null ? 0 : local.progress(acknowledge);
        received = scope == Scope.ALL ? receive(nowNs) : 0;
        work += received;
        if (scope == Scope.ALL && expiry.mayExpire(nowNs, received)) {
            work += expireTimers(nowNs);
        }
        work += active.emit(nowNs);
        finish(nowNs, received, acknowledge);
        publishDeadline(nowNs);
        return work;
    }

    private int expireTimers(long nowNs) {
        int expired = timers.expire(nowNs, faults);
        if (expired > 0) {
            counters.add(Counter.TIMERS_EXPIRED, expired);
        }
        return expired;
    }

    /// A volatile store is not free, so there is none while the deadline stays the same.
    private void publishDeadline(long nowNs) {
        long dueNs = nowNs + untilNextNs(nowNs);
        if (dueNs != nextDeadlineNs) {
            nextDeadlineNs = dueNs;
        }
    }

    private void finish(long nowNs, int received, boolean acknowledge) {
        if (acknowledging.isDue(received, acknowledge)) {
            if (!acknowledging.isEmpty()) {
                // Posted requests leave by themselves. In one system call with acknowledgements they would arrive
                // later.
                transmitter.flush();
            }
            acknowledging.send(nowNs, acknowledge);
        }
        transmitter.flush();
    }

    /// Always returns 0, as the amount of work done. From any thread.
    public int onDriverFault(Throwable fault) {
        faults.onCycle(fault);
        return 0;
    }

    /// Sets the listener for the first fault that is not of one queue pair. It runs in any thread and must not wait.
    public void onFault(Runnable listener) {
        faults.listener(listener);
    }

    private int receive(long nowNs) {
        dispatcher.nowNs(nowNs);
        return wire.receive(dispatcher, RECEIVE_BATCH);
    }

    private long untilNextNs(long nowNs) {
        // While the socket is full, the wire wakes this thread when there is room again.
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

    /// Adds a queue pair to those that have an acknowledgement to send. Owner only.
    public void acknowledgeSoon(ServedQueuePair qp) {
        acknowledging.add(qp);
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
        active.remove(qp);
        acknowledging.remove(qp);
        posted.takeAll(active);
        active.remove(qp);
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
