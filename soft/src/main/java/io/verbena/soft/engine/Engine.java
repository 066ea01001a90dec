package io.verbena.soft.engine;

import io.verbena.roce.mad.CmMessage;
import io.verbena.soft.SoftLimits;
import io.verbena.soft.mem.MemoryTable;
import io.verbena.soft.net.Wire;
import io.verbena.soft.os.BiasedLock;
import io.verbena.soft.qp.SoftQueuePair;
import io.verbena.soft.qp.SoftSendRequest;
import io.verbena.soft.qp.TransportService;
import io.verbena.soft.shm.Sharing;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/// The duty cycle of a device: receive, respond, emit, time out. Everything a device knows (queue pairs, memory
/// keys, timers) belongs to whoever owns the engine; ownership is a lock that data paths only try and control paths
/// wait for. No program code runs under it, and nobody sleeps while holding it; only a FLUSH that makes mapped memory
/// persistent waits for its disk.
///
/// Three kinds of threads run the cycle: one that posts (emits what it posted), one that polls (receives and
/// emits), and the device's own thread when nobody else does; see [Driver].
public final class Engine {
    private static final VarHandle POSTED;

    static {
        try {
            POSTED = MethodHandles.lookup().findVarHandle(Engine.class, "posted", SoftQueuePair.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /// Frames taken from the wire in one cycle.
    private static final int RECEIVE_BATCH = 64;
    /// Frames after which acknowledgements leave although more frames keep coming.
    private static final int ACKNOWLEDGE_EVERY = 32;
    /// How long an acknowledgement waits for the program's next call before somebody else sends it; where the program
    /// looks into shared memory only, the device's thread does it when it next looks.
    private static final long ACKNOWLEDGE_WITHIN_NS = 1_000_000;
    /// Timers run at least this often, however many packets come in.
    private static final long EXPIRE_AT_LEAST_EVERY_NS = 10_000_000;

    /// A way that is full is looked at again after this.
    private static final long FULL_LANE_NS = 100_000;

    /// Polls that find nothing after which one looks at everything, so that nothing rests on one thread alone.
    private static final int LOOK_AT_ALL_EVERY = 1 << 20;

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
    private final Sharing sharing;

    private final SharedInboxes inboxes;
    private final BiasedLock ownership = new BiasedLock();
    private final ActiveQueuePairs active = new ActiveQueuePairs(this);
    private final AcknowledgingQueuePairs acknowledging = new AcknowledgingQueuePairs(this);

    /// Queue pairs with new work, linked through [SoftQueuePair#nextPosted]; pushed by any thread, taken by the
    /// owner.
    private volatile SoftQueuePair posted;

    private volatile long nextDeadlineNs;
    /// Since when frames have been coming without a pause.
    private long busySinceNs;

    private final EngineFaults faults;

    /// Whether all queue pairs talk through shared memory: then the program's polls need not look at the wire, the
    /// device's own thread does.
    private volatile boolean sharedOnly;

    private int idlePolls;
    private long armingsSeen;
    /// Packets of the last full cycle.
    private int lastEmitted;

    private long lastReceiveNs;
    private int receivedSinceAcknowledged;

    public Engine(Wire wire, NanoClock clock, RandomGenerator random, int maxQueuePairs, Simulation simulation) {
        this(wire, clock, random, maxQueuePairs, simulation, null);
    }

    /// @param sharing null when all connections go over the network
    public Engine(
            Wire wire,
            NanoClock clock,
            RandomGenerator random,
            int maxQueuePairs,
            Simulation simulation,
            Sharing sharing) {
        this.wire = wire;
        this.faults = new EngineFaults(counters, wire.localAddress());
        this.sharing = sharing;
        this.inboxes = sharing == null ? null : new SharedInboxes(this, sharing, counters);
        this.clock = clock;
        this.simulation = simulation;
        this.memory = new MemoryTable(random, SoftLimits.MAX_MEMORY_REGIONS, SoftLimits.MAX_MEMORY_WINDOWS);
        this.queuePairs = new QueuePairTable(random, maxQueuePairs);
        this.transmitter = new Transmitter(wire, counters);
        this.management = new ManagementPort(transmitter, counters);
        this.multicast = new MulticastTable(wire);
        this.dispatcher = new PacketDispatcher(this, queuePairs, multicast, management, counters);
        this.driver = new Driver(this);
        this.busySinceNs = clock.nowNs();
        this.lastReceiveNs = busySinceNs;
        this.nextDeadlineNs = busySinceNs + Timers.NEVER_NS;
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
    public Sharing sharing() {
        return sharing;
    }

    public SharedInboxes inboxes() {
        return inboxes;
    }

    /// Whether polls of the program look into shared memory only. From any thread.
    boolean isSharedOnly() {
        return sharedOnly;
    }

    /// A queue pair was made, closed or connected. Owner only.
    public void onQueuePairsChanged() {
        if (sharing == null) {
            return;
        }
        int shared = inboxes.count();
        sharedOnly = shared > 0 && shared == queuePairs.size();
        if (shared > 0) {
            inboxes.keepLookingAround();
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

    public void managementHandler(ManagementHandler handler) {
        execute(() -> management.handler(handler));
    }

    public void sendManagement(CmMessage message, long destinationHigh, long destinationLow) {
        management.send(message, destinationHigh, destinationLow);
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
            return inboxes == null ? task.get() : inboxes.guard(task);
        } finally {
            // Also when the task failed: others may have posted meanwhile and rely on the owner.
            try {
                cycle(clock.nowNs(), false, true);
            } finally {
                ownership.unlock();
                runPosted();
                driver.onDeadlineMoved(nextDeadlineNs);
            }
        }
    }

    /// Announces a queue pair with new work. From any thread; must be followed by [#runPosted].
    public void offer(SoftQueuePair qp) {
        if (!qp.claimPosted()) {
            return;
        }
        SoftQueuePair head;
        do {
            head = posted;
            qp.nextPosted = head;
        } while (!POSTED.compareAndSet(this, head, qp));
    }

    /// Emits what was posted, unless the present owner will do it: it looks again after letting go.
    public void runPosted() {
        while (posted != null && ownership.tryLock()) {
            try {
                cycle(clock.nowNs(), false, false);
            } finally {
                ownership.unlock();
            }
            driver.onDeadlineMoved(nextDeadlineNs);
        }
    }

    /// Runs one full cycle for a program that polls, unless somebody else is at it. With `settle`, acknowledgements
    /// leave at once; without, they wait for the program's next call, to travel behind its answer rather than
    /// before it.
    public int poll(boolean settle) {
        if (!sharedOnly) {
            driver.onProgramDrives();
            return drive(settle);
        }
        try {
            driver.onProgramLooks();
            if (!hasSharedWork()) {
                inboxes.onIdle();
                return ++idlePolls % LOOK_AT_ALL_EVERY == 0 ? drive(settle) : 0;
            }
            return driveShared(settle);
        } catch (InternalError cut) {
            return onDriverFault(cut);
        }
    }

    /// As [#drive], for a thread that waits and spins meanwhile: without the wire and the timers where all queue pairs
    /// talk through shared memory, so that looking makes no system call. Not for long without a [#drive] in between.
    public int look(boolean settle) {
        return !sharedOnly ? drive(settle) : hasSharedWork() ? driveShared(settle) : 0;
    }

    private boolean hasSharedWork() {
        return sharing.hasNews() || !acknowledging.isEmpty() || !active.isEmpty() || posted != null;
    }

    /// As [#drive], without the wire and the timers, which are left to the device's own thread.
    private int driveShared(boolean settle) {
        if (!ownership.tryLock()) {
            return 0;
        }
        int work;
        try {
            work = cycleShared(settle);
        } finally {
            ownership.unlock();
        }
        runPosted();
        return work;
    }

    private int cycleShared(boolean settle) {
        try {
            takePosted();
            int received = inboxes.receive(lastReceiveNs);
            int work = received + (active.isEmpty() ? 0 : active.emit(lastReceiveNs));
            receivedSinceAcknowledged += received;
            if (settle || received == 0 || receivedSinceAcknowledged >= ACKNOWLEDGE_EVERY) {
                flushAcknowledgements(lastReceiveNs, settle);
            }
            sharing.flush();
            noteTimers();
            return work;
        } catch (RuntimeException | InternalError e) {
            return onDriverFault(e);
        }
    }

    /// Timers may have been armed without a look at the clock, or a way was full: somebody must wake for it.
    private void noteTimers() {
        if (timers.armings() != armingsSeen || !active.isEmpty()) {
            onTimersMoved();
        }
    }

    private void onTimersMoved() {
        armingsSeen = timers.armings();
        long dueNs = timers.dueNs(nextDeadlineNs);
        if (!active.isEmpty()) {
            long againNs = clock.nowNs() + FULL_LANE_NS;
            dueNs = againNs - dueNs < 0 ? againNs : dueNs;
        }
        if (dueNs - nextDeadlineNs < 0) {
            nextDeadlineNs = dueNs;
            driver.onDeadlineMoved(dueNs);
        }
    }

    /// Emits what one queue pair has posted, if nothing else waits and nobody else is at the engine. False when it is
    /// still to be announced.
    public boolean emitNow(SoftQueuePair qp) {
        if (!ownership.tryLock()) {
            return false;
        }
        boolean emitted = !qp.inActive && active.isEmpty() && posted == null;
        try {
            if (emitted) {
                lastEmitted = active.emit(qp, lastReceiveNs);
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
        driver.onDeadlineMoved(nextDeadlineNs);
        return emitted;
    }

    /// Carries out a request that is not even queued, if it goes through shared memory and nothing stands in its way.
    /// The caller holds the lock of the send queue.
    public boolean carryOutAtOnce(TransportService service, SoftSendRequest request) {
        if (!ownership.tryLock()) {
            return false;
        }
        boolean sent = false;
        try {
            sent = service.carryOutAtOnce(request, lastReceiveNs);
            if (sent && !acknowledging.isEmpty()) {
                flushAcknowledgements(lastReceiveNs, false);
                sharing.flush();
            }
            noteTimers();
        } catch (InternalError cut) {
            onDriverFault(cut);
        } finally {
            ownership.unlock();
            // Also when inline memory turned out to be closed: others may rely on the owner.
            runPosted();
        }
        return sent;
    }

    /// Emits what one queue pair has posted if it goes through shared memory and nobody else is at the engine. False
    /// when it is still to be announced.
    public boolean emitShared(SoftQueuePair qp) {
        if (!ownership.tryLock()) {
            return false;
        }
        try {
            if (!qp.inActive && active.isEmpty()) {
                active.emit(qp, lastReceiveNs);
            } else {
                activate(qp);
                active.emit(clock.nowNs());
            }
            finish(lastReceiveNs, 0, false);
            onTimersMoved();
        } catch (RuntimeException | InternalError e) {
            onDriverFault(e);
        } finally {
            ownership.unlock();
        }
        runPosted();
        return true;
    }

    /// As [#poll], for a thread that waits: it does not count as the program driving.
    public int drive(boolean settle) {
        if (!ownership.tryLock()) {
            return 0;
        }
        int work;
        try {
            work = cycle(clock.nowNs(), true, settle);
        } finally {
            ownership.unlock();
        }
        runPosted();
        driver.onDeadlineMoved(nextDeadlineNs);
        return work;
    }

    /// For a simulation: one full cycle at a given time.
    public int step(long nowNs) {
        ownership.lock();
        try {
            return cycle(nowNs, true, true);
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

    /// What goes wrong in here is no caller's fault, who may be anybody: it is counted and told as the device's.
    private int cycle(long nowNs, boolean receive, boolean settle) {
        try {
            return run(nowNs, receive, settle);
        } catch (RuntimeException | InternalError e) {
            nextDeadlineNs = nowNs + PAUSE_AFTER_FAULT_NS;
            return onDriverFault(e);
        }
    }

    private int run(long nowNs, boolean receive, boolean settle) {
        takePosted();
        int received = receive ? receive(nowNs) : 0;
        int work = received;
        if (receive && mayExpire(nowNs, received)) {
            work += timers.expire(nowNs, faults);
        }
        lastEmitted = active.emit(nowNs);
        work += lastEmitted;
        finish(nowNs, received, settle);
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

    private void finish(long nowNs, int received, boolean settle) {
        // Behind what was posted; when a poll finds nothing new; and when frames keep coming, every so often.
        if (settle || received == 0 || receivedSinceAcknowledged >= ACKNOWLEDGE_EVERY) {
            if (!acknowledging.isEmpty()) {
                // What was posted leaves alone: in one call with more it would arrive later.
                transmitter.flush();
            }
            flushAcknowledgements(nowNs, settle);
        }
        transmitter.flush();
        if (sharing != null) {
            sharing.flush();
        }
    }

    /// Answers that are already in the socket come before the timers that wait for them: a process that was not
    /// scheduled for a while must not take its own absence for the peer's. So timers run when the socket is empty,
    /// or when frames have kept coming for long, in cycles without a pause between them.
    private boolean mayExpire(long nowNs, int received) {
        boolean wasAway = nowNs - lastReceiveNs > EXPIRE_AT_LEAST_EVERY_NS;
        lastReceiveNs = nowNs;
        if (received == 0 || wasAway) {
            busySinceNs = nowNs;
        }
        return received == 0 || nowNs - busySinceNs > EXPIRE_AT_LEAST_EVERY_NS;
    }

    /// Returns how much work was done: none. From any thread.
    public int onDriverFault(Throwable fault) {
        boolean cut = fault instanceof InternalError && inboxes != null;
        if (!cut || !call(inboxes::mend)) {
            faults.onCycle(fault);
        }
        return 0;
    }

    /// What to do at the first fault that is no queue pair's. Runs in any thread and must not wait.
    public void onFault(Runnable listener) {
        faults.listener(listener);
    }

    private int receive(long nowNs) {
        dispatcher.nowNs(nowNs);
        // What a neighbour put into memory before it said good-bye over the network comes first.
        int received = inboxes == null ? 0 : inboxes.receive(nowNs);
        received += wire.receive(dispatcher, RECEIVE_BATCH);
        receivedSinceAcknowledged += received;
        return received;
    }

    private long untilNextNs(long nowNs) {
        // While the network takes nothing, the wire wakes us when it does again.
        if (!active.isEmpty() && !transmitter.isRefused()) {
            return inboxes != null && lastEmitted == 0 ? FULL_LANE_NS : 0;
        }
        long timerNs = timers.untilNextNs(nowNs);
        return acknowledging.isEmpty() ? timerNs : Math.min(timerNs, ACKNOWLEDGE_WITHIN_NS);
    }

    private void takePosted() {
        SoftQueuePair qp = posted == null ? null : (SoftQueuePair) POSTED.getAndSet(this, null);
        while (qp != null) {
            SoftQueuePair next = qp.nextPosted;
            qp.nextPosted = null;
            qp.releasePosted();
            activate(qp);
            qp = next;
        }
    }

    /// Puts a queue pair that can emit in line. Owner only.
    public void activate(SoftQueuePair qp) {
        active.add(qp);
    }

    /// Notes that a queue pair has an acknowledgement to send. Owner only.
    public void acknowledgeSoon(SoftQueuePair qp) {
        acknowledging.add(qp);
    }

    private void flushAcknowledgements(long nowNs, boolean atOnce) {
        receivedSinceAcknowledged = 0;
        acknowledging.send(nowNs, atOnce);
    }

    /// A fault in one queue pair's step is that queue pair's end, not the engine's.
    void onFault(SoftQueuePair qp, RuntimeException fault) {
        faults.onQueuePair(qp, fault);
    }

    /// Forgets a queue pair that is being closed. Owner only.
    public void remove(SoftQueuePair qp) {
        queuePairs.remove(qp);
        if (sharing != null) {
            sharing.hide(qp.number());
            onQueuePairsChanged();
        }
        active.remove(qp);
        acknowledging.remove(qp);
        takePosted();
        active.remove(qp);
    }

    /// Sends what is left and closes the wire. Nobody may run the engine any more.
    public void close() {
        execute(() -> {});
        try {
            if (sharing != null) {
                sharing.close();
            }
        } finally {
            wire.close();
        }
    }
}
