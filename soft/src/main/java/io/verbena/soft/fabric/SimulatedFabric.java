package io.verbena.soft.fabric;

import io.verbena.soft.fault.FaultCounters;
import io.verbena.soft.fault.FaultPlan;
import io.verbena.soft.local.Neighbourhood;
import io.verbena.soft.local.SimulatedNeighbourhood;
import io.verbena.soft.net.SimulatedNetwork;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Many hosts in one program under a virtual clock: frames travel with a latency and through the faults of their
/// link, and seconds of protocol time pass in milliseconds. Calls that wait move the clock; the same seed and the same
/// calls give the same run.
///
/// ```java
/// SimulatedFabric fabric = new SimulatedFabric(42).faults(FaultPlan.none().withLoss(0.01));
/// try (Context left = fabric.host("10.0.0.1").device().open();
///         Context right = fabric.host("10.0.0.2").device().open()) {
///     ... make and connect queue pairs, post ...
///     cq.poll(onCompletion, 1, Duration.ofSeconds(10));   // ten virtual seconds at most
/// }
/// ```
///
/// Programs with several threads are tested with [#start]. The threads take turns: exactly one runs at a time, and the
/// next one runs when it waits in virtual time or ends. So their order is the same in every run, too.
///
/// ```java
/// SimulatedThread server = fabric.start("server", () -> serve(fabric.host("10.0.0.2")));
/// ask(fabric.host("10.0.0.1"));
/// server.join();
/// ```
///
/// Threads that the program starts itself join in when they first wait. A thread may also block on a lock, a latch or a
/// future: after some real milliseconds the others go on without it. Such a run is safe, but it may differ from the
/// next one. `Thread.sleep` and busy loops stop the virtual clock; [#sleep] moves it.
public final class SimulatedFabric implements AutoCloseable {
    /// Longer than a connection waits for late messages.
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(5);

    private static final int MOST_REAL_PAUSES = 1_000;
    private static final long REAL_PAUSE_NS = 1_000_000;

    private final SimulatedNetwork network;
    private final Random random;
    private final Map<InetAddress, SimulatedHost> hosts = new LinkedHashMap<>();
    private final List<SimulatedThread> threads = new CopyOnWriteArrayList<>();
    private Neighbourhood neighbourhood;

    /// Makes an empty fabric. All random numbers come from `seed`.
    public SimulatedFabric(long seed) {
        network = new SimulatedNetwork(seed);
        random = new Random(seed);
    }

    /// The host of that IP address; it is made when first asked for.
    public synchronized SimulatedHost host(String address) {
        InetAddress parsed = InetAddress.ofLiteral(Objects.requireNonNull(address, "the address is null"));
        return hosts.computeIfAbsent(parsed, a -> new SimulatedHost(network, a, random, neighbourhood));
    }

    /// All hosts that were made so far, in that order.
    public synchronized List<SimulatedHost> hosts() {
        return List.copyOf(hosts.values());
    }

    /// Hosts that are made from now on share memory with each other, as processes of one host do: their reliable
    /// connections take the local path, on which nothing takes time and no link has faults. Only on Linux with native
    /// access; elsewhere nothing changes, and [io.verbena.verbs.Context#paths] says why.
    public synchronized SimulatedFabric sharedMemory() {
        if (neighbourhood == null) {
            neighbourhood = new SimulatedNeighbourhood();
        }
        return this;
    }

    /// How long frames travel, from now on.
    public SimulatedFabric latency(Duration latency) {
        network.latency(Objects.requireNonNull(latency, "the latency is null"));
        return this;
    }

    /// Faults of all links that have no plan of their own, from now on.
    public SimulatedFabric faults(FaultPlan plan) {
        network.faults(Objects.requireNonNull(plan, "the plan is null"));
        return this;
    }

    /// Faults of the link from one host to another, from now on; the other direction has its own.
    public SimulatedFabric faults(InetAddress from, InetAddress to, FaultPlan plan) {
        requireLink(from, to);
        network.faults(from, to, Objects.requireNonNull(plan, "the plan is null"));
        return this;
    }

    /// The counters of the link from one host to another.
    public FaultCounters counters(InetAddress from, InetAddress to) {
        requireLink(from, to);
        return network.counters(from, to);
    }

    private static void requireLink(InetAddress from, InetAddress to) {
        Objects.requireNonNull(from, "the sender's address is null");
        Objects.requireNonNull(to, "the receiver's address is null");
    }

    /// Virtual time since the start.
    public Duration elapsed() {
        return network.elapsed();
    }

    /// Starts a thread that takes turns with the calling one and all others. It begins when the calling thread waits.
    public SimulatedThread start(String name, SimulatedThread.Task task) {
        return start(Thread.ofPlatform().daemon().name(Objects.requireNonNull(name, "the name is null")), task);
    }

    /// As [#start(String, SimulatedThread.Task)], for any kind of thread.
    public SimulatedThread start(Thread.Builder builder, SimulatedThread.Task task) {
        Objects.requireNonNull(builder, "the builder is null");
        Objects.requireNonNull(task, "the task is null");
        SimulatedThread thread = new SimulatedThread(network, builder, task);
        threads.add(thread);
        return thread;
    }

    /// Executes one event: work that the hosts have left now, or the next event in time. Returns false, with the time
    /// over, when nothing happens in that time. Other threads have no turn meanwhile.
    public boolean advance(Duration longest) {
        Objects.requireNonNull(longest, "the longest time is null");
        network.takeTurn();
        return network.advance(network.clock().nowNs() + longest.toNanos());
    }

    /// Lets the hosts and the other threads go on for that virtual time.
    public void run(Duration time) {
        network.run(Objects.requireNonNull(time, "the time is null"));
    }

    /// The same as [#run], for threads that want to do nothing for a while.
    public void sleep(Duration time) {
        run(time);
    }

    /// Runs all hosts until `ready` is true. Returns whether that came before the virtual time was over.
    public boolean runUntil(BooleanSupplier ready, Duration timeout) {
        return network.runUntil(
                Objects.requireNonNull(ready, "the condition is null"),
                Objects.requireNonNull(timeout, "the timeout is null").toNanos());
    }

    /// The leaks of the program, in words: threads of [#start] that still run, and all objects that are not closed.
    /// Lets the clock run before, a few minutes at most, until threads end and closed connections have waited for late
    /// messages.
    public List<String> openObjects() {
        awaitEnd();
        List<String> open = new ArrayList<>();
        threads.stream()
                .filter(thread -> !thread.isDone())
                .map(thread -> thread + " still runs")
                .forEach(open::add);
        for (SimulatedHost host : hosts()) {
            List<AutoCloseable> left = host.openObjects();
            if (!left.isEmpty()) {
                open.add(host.device().name() + ": " + OpenObjects.text(left));
            }
        }
        return open;
    }

    /// The exceptions of threads of [#start] that no `join` has thrown.
    public List<Throwable> unseenFailures() {
        return threads.stream()
                .map(SimulatedThread::unseenFailure)
                .filter(Objects::nonNull)
                .toList();
    }

    /// Interrupts the threads of [#start] that still run, and closes everything that is open.
    @Override
    public void close() {
        threads.stream().filter(thread -> !thread.isDone()).forEach(SimulatedThread::interrupt);
        awaitEnd();
        RuntimeException first = null;
        for (SimulatedHost host : hosts()) {
            try {
                host.closeAll();
            } catch (RuntimeException e) {
                first = first == null ? e : first;
            }
        }
        awaitEnd();
        if (first != null) {
            throw first;
        }
    }

    private void awaitEnd() {
        runUntil(() -> areDone() && hosts().stream().noneMatch(SimulatedHost::waitsForLateMessages), LONGEST_WAIT);
        // A thread that another one has woken, and not the network, ends when the operating system lets it run.
        for (int pauses = 0; pauses < MOST_REAL_PAUSES && !areDone(); pauses++) {
            LockSupport.parkNanos(this, REAL_PAUSE_NS);
            runUntil(this::areDone, Duration.ofNanos(REAL_PAUSE_NS));
        }
    }

    private boolean areDone() {
        return threads.stream().allMatch(SimulatedThread::isDone);
    }
}
