package io.verbena.soft.net;

import io.verbena.soft.fabric.Fault;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// The frames that travel to one simulated host.
final class Arrivals {
    private final HeldFrames frames = new HeldFrames();
    private final MemorySegment memory = FrameQueue.frames(1);
    private final ByteBuffer bytes = memory.asByteBuffer();

    /// Sends a frame on its way, through the faults of the link.
    void send(FaultInjector injector, SimulatedWire from, int offset, int length, long nowNs, long latencyNs) {
        ByteBuffer sent = from.sendBytes();
        int faults = injector.judge(sent, offset, length);
        if (FaultInjector.has(faults, Fault.LOSS)) {
            return;
        }
        if (FaultInjector.has(faults, Fault.CORRUPT)) {
            injector.corrupt(sent, offset, length);
        }
        int copies = FaultInjector.has(faults, Fault.DUPLICATE) ? 2 : 1;
        for (int i = 0; i < copies; i++) {
            long dueNs = injector.dueNs(nowNs, faults) + latencyNs;
            if (!frames.add(
                    sent, offset, length, dueNs, from.gid().high(), from.gid().low())) {
                injector.counters().addLate(Fault.LOSS);
            }
        }
    }

    int receive(FrameHandler handler, int limit, long nowNs) {
        int received = 0;
        while (received < limit && frames.isDue(nowNs)) {
            HeldFrame frame = frames.take();
            bytes.put(0, frame.bytes, 0, frame.length);
            int length = frame.length;
            frames.recycle(frame);
            handler.onFrame(memory, bytes, 0, length, frame.peerHigh, frame.peerLow, Wires.PORT);
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
