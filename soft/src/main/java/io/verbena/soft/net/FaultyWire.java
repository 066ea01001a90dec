package io.verbena.soft.net;

import io.verbena.soft.fault.Fault;
import io.verbena.soft.fault.FaultCounters;
import io.verbena.soft.fault.FaultPlan;
import io.verbena.soft.os.NanoClock;
import io.verbena.verbs.attr.Gid;
import java.nio.ByteBuffer;

/// Applies a [FaultPlan] to the frames that another wire sends. Delayed frames are sent with a later [#flush] or
/// [#receive]; [#await] ends in time for them. Every frame is sent alone ([#identify] returns 0), because a delayed
/// frame would be in another train than its ICRC assumes.
public final class FaultyWire extends ForwardingWire {
    /// Means that no frame is delayed. No clock ever returns it.
    private static final long NOTHING_HELD = Long.MIN_VALUE;

    private final NanoClock clock;
    private final FaultInjector injector;
    private final HeldFrames held = new HeldFrames();

    /// The first is written by the owner and read by the sleeping thread, the second is written by the sleeping thread
    /// and read by the owner.
    private volatile long nextDueNs = NOTHING_HELD;

    private volatile boolean sleeping;

    public FaultyWire(Wire wire, FaultPlan plan, NanoClock clock) {
        super(wire);
        this.clock = clock;
        injector = new FaultInjector(plan, Gid.of(wire.localAddress()).low(), new FaultCounters());
    }

    public FaultCounters counters() {
        return injector.counters();
    }

    /// The slot of a lost or delayed frame is free for the next claim.
    @Override
    public void commit(int offset, int length, long destinationHigh, long destinationLow, long traffic) {
        ByteBuffer bytes = wire.sendBytes();
        int faults = injector.judge(bytes, offset, length);
        if (FaultInjector.has(faults, Fault.LOSS)) {
            return;
        }
        if (FaultInjector.has(faults, Fault.CORRUPT)) {
            injector.corrupt(bytes, offset, length);
        }
        long nowNs = clock.nowNs();
        if (FaultInjector.has(faults, Fault.DUPLICATE)) {
            hold(offset, length, injector.dueNs(nowNs, faults), destinationHigh, destinationLow, traffic);
        }
        long dueNs = injector.dueNs(nowNs, faults);
        if (dueNs == nowNs) {
            wire.commit(offset, length, destinationHigh, destinationLow, traffic);
        } else {
            hold(offset, length, dueNs, destinationHigh, destinationLow, traffic);
        }
    }

    @Override
    public boolean flush() {
        release();
        return wire.flush();
    }

    @Override
    public int receive(FrameHandler handler, int limit) {
        if (release()) {
            wire.flush();
        }
        return wire.receive(handler, limit);
    }

    @Override
    public void await(long timeoutNs) {
        sleeping = true;
        long dueNs = nextDueNs;
        wire.await(dueNs == NOTHING_HELD ? timeoutNs : Math.min(timeoutNs, Math.max(0, dueNs - clock.nowNs())));
        sleeping = false;
    }

    private void hold(int offset, int length, long dueNs, long destinationHigh, long destinationLow, long traffic) {
        Frame frame = held.add(wire.sendBytes(), offset, length, dueNs);
        if (frame == null) {
            injector.counters().addLate(Fault.LOSS);
            return;
        }
        frame.to(destinationHigh, destinationLow);
        frame.traffic(traffic);
        if (nextDueNs != held.nextDueNs()) {
            nextDueNs = held.nextDueNs();
            if (sleeping) {
                wire.wakeup();
            }
        }
    }

    /// Commits delayed frames that are due. False when there was none.
    private boolean release() {
        if (held.isEmpty()) {
            return false;
        }
        long nowNs = clock.nowNs();
        boolean released = false;
        while (held.isDue(nowNs)) {
            int offset = claimOrFlush();
            if (offset < 0) {
                break;
            }
            HeldFrame due = held.take();
            Frame frame = due.frame;
            wire.sendBytes().put(offset, frame.bytes(), 0, frame.length());
            wire.commit(offset, frame.length(), frame.destinationHigh(), frame.destinationLow(), frame.traffic());
            held.recycle(due);
            released = true;
        }
        nextDueNs = held.isEmpty() ? NOTHING_HELD : held.nextDueNs();
        return released;
    }

    private int claimOrFlush() {
        int offset = wire.claim();
        if (offset < 0) {
            wire.flush();
            offset = wire.claim();
        }
        return offset;
    }
}
