package io.verbena.soft.net;

import io.verbena.soft.fault.FaultCounters;
import io.verbena.soft.fault.FaultPlan;
import io.verbena.soft.os.NanoClock;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Gid;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/// Hosts, links and time of a simulated fabric. One thread runs it all: it steps the engines in the order they were
/// added, and moves the clock only when none has anything left to do. The same seed and the same calls give the
/// same run.
public final class SimulatedNetwork {
    /// One second before the clock overflows: code that compares times in the wrong way fails in tests, not after
    /// 292 years.
    private static final long START_NS = Long.MAX_VALUE - 1_000_000_000L;

    private static final long DEFAULT_LATENCY_NS = 5_000;
    private static final int DEFAULT_MAX_PAYLOAD = 4096;

    /// Steps without the clock moving after which something must be wrong.
    private static final int MAX_ROUNDS = 1_000_000;

    private record Link(Gid from, Gid to) {
        long salt() {
            return from.high() * 31 + from.low() * 37 + to.high() * 41 + to.low() * 43;
        }
    }

    private final long seed;
    private final Map<Gid, SimulatedWire> wires = new LinkedHashMap<>();
    private final Set<Gid> down = new HashSet<>();
    private final List<Steppable> engines = new ArrayList<>();
    private final Map<Link, FaultPlan> plans = new HashMap<>();
    private final Map<Link, FaultInjector> injectors = new HashMap<>();
    private final Map<Link, FaultCounters> counters = new HashMap<>();
    private FaultPlan defaultPlan = FaultPlan.none();
    private long latencyNs = DEFAULT_LATENCY_NS;
    private long nowNs = START_NS;
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
        return wire(host, DEFAULT_MAX_PAYLOAD);
    }

    public Wire wire(InetAddress host, int maxPayload) {
        SimulatedWire wire = new SimulatedWire(this, host, maxPayload);
        if (wires.putIfAbsent(wire.gid(), wire) != null) {
            throw new RdmaException(
                    OpenFailure.verb(host),
                    Errno.EADDRINUSE,
                    "the simulated network has a host of this address; close its device first or use another address");
        }
        return wire;
    }

    public void add(Steppable engine) {
        engines.add(engine);
    }

    public void remove(Steppable engine) {
        engines.remove(engine);
    }

    /// How long frames travel, from now on. Never 0: all hosts are stepped between the sending and the arrival of a
    /// frame, so that their order does not matter.
    public void latency(Duration latency) {
        if (!latency.isPositive()) {
            throw new IllegalArgumentException("latency " + latency + ": a frame needs 1 ns or more");
        }
        latencyNs = latency.toNanos();
    }

    /// Faults of all links that have no plan of their own, from now on.
    public void faults(FaultPlan plan) {
        defaultPlan = plan;
        injectors.clear();
    }

    /// Faults of the link from one host to another, from now on; the way back has its own.
    public void faults(InetAddress from, InetAddress to, FaultPlan plan) {
        Link link = new Link(Gid.of(from), Gid.of(to));
        plans.put(link, plan);
        injectors.remove(link);
    }

    /// What happened on a link so far, under all its plans.
    public FaultCounters counters(InetAddress from, InetAddress to) {
        return counters(new Link(Gid.of(from), Gid.of(to)));
    }

    /// Takes a host's address off the network, or brings it back; its wire stays as it is.
    public void link(InetAddress host, boolean up) {
        if (up) {
            down.remove(Gid.of(host));
        } else {
            down.add(Gid.of(host));
        }
    }

    public boolean isUp(InetAddress host) {
        return !down.contains(Gid.of(host));
    }

    /// Frames to addresses that are no host's, and to or from hosts that are down.
    public long unroutable() {
        return unroutable;
    }

    /// Steps the engines once; when they have nothing to do, first moves the clock to the next arrival or deadline.
    /// Returns false, with the clock at `untilNs`, when nothing happens before.
    public boolean advance(long untilNs) {
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
        long endNs = nowNs + time.toNanos();
        boolean more = true;
        while (more) {
            more = advance(endNs);
        }
    }

    /// Returns whether it became ready before the virtual time was over.
    public boolean runUntil(BooleanSupplier ready, long timeoutNs) {
        long endNs = nowNs + timeoutNs;
        boolean more = true;
        while (more && !ready.getAsBoolean()) {
            more = advance(endNs);
        }
        return ready.getAsBoolean();
    }

    /// Takes a frame from a host.
    void send(SimulatedWire from, int offset, int length, Gid to, long traffic) {
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

    void remove(SimulatedWire wire) {
        wires.remove(wire.gid(), wire);
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
        for (int i = 0; i < engines.size(); i++) {
            work += engines.get(i).step(nowNs);
        }
        return work;
    }

    private long untilNextNs() {
        long waitNs = HeldFrames.NEVER_NS;
        for (SimulatedWire wire : wires.values()) {
            waitNs = Math.min(waitNs, wire.arrivals().untilNextNs(nowNs));
        }
        for (Steppable engine : engines) {
            waitNs = Math.min(waitNs, Math.max(0, engine.untilNextNs(nowNs)));
        }
        return waitNs;
    }

    private void moveClock(long byNs) {
        if (byNs > 0) {
            nowNs += byNs;
            rounds = 0;
        }
    }
}
