package io.verbena.soft.net;

import io.verbena.soft.fault.FaultCounters;
import io.verbena.soft.fault.FaultPlan;
import io.verbena.soft.os.NanoClock;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Gid;
import java.net.InetAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/// Hosts, links and time of a simulated fabric. One thread at a time runs it all: it steps the engines in the order
/// they were added, and moves the clock only when none has anything left to do. The same seed and the same calls give
/// the same run. Which thread that is, [SimulatedThreads] decides.
///
/// Other threads may send, open and close at the same time. So shared state is under one lock, which is never held
/// while an engine is stepped: a sending thread holds the lock of its engine.
public final class SimulatedNetwork {
    /// One second before the clock overflows: code that compares times in the wrong way fails in tests, not after
    /// 292 years.
    private static final long START_NS = Long.MAX_VALUE - 1_000_000_000L;

    private static final long DEFAULT_LATENCY_NS = 5_000;
    private static final int MAX_PAYLOAD = 4096;

    /// This many steps without the clock moving mean an error.
    private static final int MAX_ROUNDS = 1_000_000;

    /// An engine on the network. It is not removed while it is stepped.
    private static final class Member {
        final Steppable engine;
        private boolean removed;

        Member(Steppable engine) {
            this.engine = engine;
        }

        synchronized int step(long nowNs) {
            return removed ? 0 : engine.step(nowNs);
        }

        synchronized void remove() {
            removed = true;
        }
    }

    private record Link(Gid from, Gid to) {
        long salt() {
            return from.high() * 31 + from.low() * 37 + to.high() * 41 + to.low() * 43;
        }
    }

    private final long seed;
    private final SimulatedThreads threads = new SimulatedThreads(this);
    /// Guards all fields below except the clock, and the frames in flight.
    private final Object lock = new Object();

    private final Map<Gid, SimulatedWire> wires = new LinkedHashMap<>();
    private final Set<Gid> down = new HashSet<>();
    private final List<Member> engines = new CopyOnWriteArrayList<>();
    private final Map<Link, FaultPlan> plans = new HashMap<>();
    private final Map<Link, FaultInjector> injectors = new HashMap<>();
    private final Map<Link, FaultCounters> counters = new HashMap<>();
    private FaultPlan defaultPlan = FaultPlan.none();
    private long latencyNs = DEFAULT_LATENCY_NS;
    /// Written by the thread that runs the network.
    private volatile long nowNs = START_NS;

    private int rounds;
    private long unroutable;

    public SimulatedNetwork(long seed) {
        this.seed = seed;
    }

    public NanoClock clock() {
        return () -> nowNs;
    }

    public Duration elapsed() {
        return Duration.ofNanos(nowNs - START_NS);
    }

    /// Puts a host on the network, until the wire is closed.
    public Wire wire(InetAddress host) {
        SimulatedWire wire = new SimulatedWire(this, host, MAX_PAYLOAD);
        synchronized (lock) {
            if (wires.putIfAbsent(wire.gid(), wire) == null) {
                return wire;
            }
        }
        throw new RdmaException(
                OpenFailure.verb(host),
                Errno.EADDRINUSE,
                "the simulated network has a host of this address; close its device first or use another address");
    }

    public void add(Steppable engine) {
        engines.add(new Member(engine));
    }

    /// Afterwards the engine is not stepped again.
    public void remove(Steppable engine) {
        for (Member member : engines) {
            if (member.engine == engine) {
                engines.remove(member);
                member.remove();
            }
        }
    }

    /// Sets the latency of frames, from now on. Never 0: all hosts are stepped between the sending and the arrival of a
    /// frame, so that their order does not matter.
    public void latency(Duration latency) {
        if (!latency.isPositive()) {
            throw new IllegalArgumentException("latency " + latency + ": a frame needs 1 ns or more");
        }
        synchronized (lock) {
            latencyNs = latency.toNanos();
        }
    }

    /// Sets the faults of all links without a plan of their own, from now on.
    public void faults(FaultPlan plan) {
        synchronized (lock) {
            defaultPlan = plan;
            injectors.clear();
        }
    }

    /// Sets the faults of the link from one host to another, from now on. The opposite direction is another link.
    public void faults(InetAddress from, InetAddress to, FaultPlan plan) {
        Link link = new Link(Gid.of(from), Gid.of(to));
        synchronized (lock) {
            plans.put(link, plan);
            injectors.remove(link);
        }
    }

    /// The faults on a link so far, under all its plans.
    public FaultCounters counters(InetAddress from, InetAddress to) {
        synchronized (lock) {
            return counters(new Link(Gid.of(from), Gid.of(to)));
        }
    }

    /// Disconnects a host from the network, or connects it again. Its wire stays open.
    public void link(InetAddress host, boolean up) {
        synchronized (lock) {
            if (up) {
                down.remove(Gid.of(host));
            } else {
                down.add(Gid.of(host));
            }
        }
    }

    public boolean isUp(InetAddress host) {
        synchronized (lock) {
            return !down.contains(Gid.of(host));
        }
    }

    /// The number of frames to unknown addresses, and to or from hosts that are down.
    public long unroutable() {
        synchronized (lock) {
            return unroutable;
        }
    }

    /// Steps the engines once; when they have nothing to do, first moves the clock to the next arrival or deadline.
    /// Returns false, with the clock at `untilNs`, when nothing happens before. Synchronized for a thread whose turn is
    /// taken while it is in here.
    public synchronized boolean advance(long untilNs) {
        if (step() > 0) {
            return true;
        }
        long waitNs = untilNextNs();
        long longestNs = Math.max(0, untilNs - nowNs);
        if (waitNs > longestNs) {
            moveClock(longestNs);
            return false;
        }
        moveClock(waitNs);
        step();
        return true;
    }

    public void run(Duration time) {
        threads.sleep(time.toNanos());
    }

    /// Returns whether `ready` became true before the virtual time was over. Only the calling thread evaluates it.
    public boolean runUntil(BooleanSupplier ready, long timeoutNs) {
        return threads.await(ready, false, timeoutNs);
    }

    /// Like [#runUntil], for a condition that any thread may evaluate: it has no side effects, and does not wait.
    public boolean await(BooleanSupplier ready, long timeoutNs) {
        return threads.await(ready, true, timeoutNs);
    }

    /// Starts a thread that takes turns with the others.
    public Thread start(Thread.Builder builder, Runnable program) {
        return threads.start(builder, program);
    }

    /// Returns when it is the calling thread's turn to run.
    public void takeTurn() {
        threads.takeTurn();
    }

    /// Sends a frame of a host.
    void send(SimulatedWire from, int offset, int length, Gid to, long traffic) {
        synchronized (lock) {
            route(from, offset, length, to, traffic);
        }
    }

    private void route(SimulatedWire from, int offset, int length, Gid to, long traffic) {
        SimulatedWire receiver = wires.get(to);
        if (receiver != null) {
            send(from, receiver, offset, length, to, traffic);
        } else if (to.address().isMulticastAddress()) {
            for (SimulatedWire member : wires.values()) {
                if (member.groups.has(to)) {
                    send(from, member, offset, length, to, traffic);
                }
            }
        } else {
            unroutable++;
        }
    }

    private void send(SimulatedWire from, SimulatedWire receiver, int offset, int length, Gid to, long traffic) {
        if (down.contains(from.gid()) || down.contains(receiver.gid())) {
            unroutable++;
            return;
        }
        FaultInjector injector = injectors.computeIfAbsent(new Link(from.gid(), receiver.gid()), this::injector);
        receiver.arrivals().send(injector, from, offset, length, to, traffic, nowNs, latencyNs);
    }

    /// Takes a frame that has arrived; null when there is none.
    HeldFrame take(ArrivalQueue arrivals) {
        synchronized (lock) {
            return arrivals.take(nowNs);
        }
    }

    void recycle(ArrivalQueue arrivals, HeldFrame frame) {
        synchronized (lock) {
            arrivals.recycle(frame);
        }
    }

    void remove(SimulatedWire wire) {
        synchronized (lock) {
            wires.remove(wire.gid(), wire);
        }
    }

    long nowNs() {
        return nowNs;
    }

    private FaultInjector injector(Link link) {
        FaultPlan plan = plans.getOrDefault(link, defaultPlan);
        return new FaultInjector(plan, seed * 31 + link.salt(), counters(link));
    }

    private FaultCounters counters(Link link) {
        return counters.computeIfAbsent(link, l -> new FaultCounters());
    }

    private int step() {
        if (++rounds > MAX_ROUNDS) {
            throw new IllegalStateException(
                    "%d steps at %s without the clock moving: an engine says it has work but never"
                                    .formatted(rounds, elapsed())
                            + " ends it");
        }
        int work = 0;
        for (Member member : engines) {
            work += member.step(nowNs);
        }
        return work;
    }

    private long untilNextNs() {
        long waitNs = HeldFrames.NEVER_NS;
        synchronized (lock) {
            for (SimulatedWire wire : wires.values()) {
                waitNs = Math.min(waitNs, wire.arrivals().untilNextNs(nowNs));
            }
        }
        for (Member member : engines) {
            waitNs = Math.min(waitNs, Math.max(0, member.engine.untilNextNs(nowNs)));
        }
        return waitNs;
    }

    private void moveClock(long byNs) {
        if (byNs > 0) {
            nowNs = nowNs + byNs;
            rounds = 0;
        }
    }
}
