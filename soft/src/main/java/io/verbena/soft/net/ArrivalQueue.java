package io.verbena.soft.net;

import io.verbena.soft.fault.Fault;
import io.verbena.verbs.attr.Gid;
import java.nio.ByteBuffer;

/// The frames in flight to one simulated host. Used under the lock of the [SimulatedNetwork].
final class ArrivalQueue {
    private final HeldFrames frames = new HeldFrames();

    /// Adds a frame, after the faults of the link.
    void send(
            FaultInjector injector,
            SimulatedWire from,
            int offset,
            int length,
            Gid to,
            long traffic,
            long nowNs,
            long latencyNs) {
        ByteBuffer sent = from.sendBytes();
        int faults = injector.judge(sent, offset, length);
        if (FaultInjector.has(faults, Fault.LOSS)) {
            return;
        }
        boolean corrupt = FaultInjector.has(faults, Fault.CORRUPT);
        int bit = corrupt ? injector.corrupt(sent, offset, length) : 0;
        int copies = FaultInjector.has(faults, Fault.DUPLICATE) ? 2 : 1;
        for (int i = 0; i < copies; i++) {
            long dueNs = injector.dueNs(nowNs, faults) + latencyNs;
            Frame frame = frames.add(sent, offset, length, dueNs);
            if (frame == null) {
                injector.counters().addLate(Fault.LOSS);
            } else {
                frame.from(from.gid().high(), from.gid().low(), Wires.PORT);
                frame.to(to.high(), to.low());
                frame.traffic(traffic);
            }
        }
        if (corrupt) {
            // Restores the sender's frame, which may also go to other members of a group over other links.
            FaultInjector.flip(sent, bit);
        }
    }

    /// A frame that has arrived, or null.
    HeldFrame take(long nowNs) {
        return frames.isDue(nowNs) ? frames.take() : null;
    }

    void recycle(HeldFrame frame) {
        frames.recycle(frame);
    }

    /// How long until the next arrival. A frame that has arrived and was not taken does not count: time must not stop
    /// for a host that does not receive.
    long untilNextNs(long nowNs) {
        return frames.isDue(nowNs) ? HeldFrames.NEVER_NS : frames.untilNextNs(nowNs);
    }
}
