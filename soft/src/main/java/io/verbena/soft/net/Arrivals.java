package io.verbena.soft.net;

import io.verbena.soft.fault.Fault;
import io.verbena.verbs.attr.Gid;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// The frames that travel to one simulated host.
final class Arrivals {
    private final HeldFrames frames = new HeldFrames();
    private final MemorySegment memory = FrameQueue.frames(1);
    private final Frame arrived = new Frame(memory, memory.asByteBuffer());

    /// Sends a frame on its way, through the faults of the link.
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
            HeldFrame frame = frames.add(sent, offset, length, dueNs);
            if (frame == null) {
                injector.counters().addLate(Fault.LOSS);
            } else {
                frame.from(from.gid().high(), from.gid().low());
                frame.to(to.high(), to.low());
                frame.traffic = traffic;
            }
        }
        if (corrupt) {
            // The sender's frame may go to other members of a group, over links of their own.
            FaultInjector.flip(sent, bit);
        }
    }

    int receive(FrameHandler handler, int limit, long nowNs) {
        int received = 0;
        while (received < limit && frames.isDue(nowNs)) {
            HeldFrame frame = frames.take();
            arrived.bytes().put(0, frame.bytes, 0, frame.length);
            arrived.show(0, frame.length);
            arrived.from(frame.sourceHigh, frame.sourceLow, Wires.PORT);
            arrived.to(frame.destinationHigh, frame.destinationLow);
            arrived.traffic(frame.traffic);
            frames.recycle(frame);
            handler.onFrame(arrived);
            received++;
        }
        return received;
    }

    /// How long until the next arrival. A frame that is there already and was left is none: time goes on without a
    /// host that does not listen.
    long untilNextNs(long nowNs) {
        return frames.isDue(nowNs) ? HeldFrames.NEVER_NS : frames.untilNextNs(nowNs);
    }
}
