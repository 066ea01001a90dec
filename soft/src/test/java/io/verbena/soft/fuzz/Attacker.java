package io.verbena.soft.fuzz;

import io.verbena.roce.header.Bth;
import io.verbena.roce.header.Reth;
import io.verbena.roce.packet.Header;
import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.RoceConstants;
import io.verbena.soft.net.Frame;
import io.verbena.soft.net.SimulatedNetwork;
import io.verbena.soft.net.Steppable;
import io.verbena.soft.net.Traffic;
import io.verbena.soft.net.Wire;
import io.verbena.verbs.attr.Gid;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/// Sends frames as the attacker's host, and keeps the last packets of the device.
final class Attacker {
    private static final int KEPT = 16;
    private static final int PORT = 4791;

    private final Wire wire;
    private final Gid self = Gid.of(LiveDevice.ATTACKER);
    private final Gid device = Gid.of(LiveDevice.ADDRESS);
    /// A request of the device's.
    record Asked(Opcode opcode, int psn, int length) {}

    /// The device's last requests to each of the attacker's queue pairs, newest first.
    private final Map<Integer, Deque<Asked>> requests = new HashMap<>();
    /// Management datagrams of the device, newest first.
    final Deque<byte[]> mads = new ArrayDeque<>();

    Attacker(SimulatedNetwork network) {
        wire = network.wire(LiveDevice.ATTACKER);
        network.add(new Steppable() {
            @Override
            public int step(long nowNs) {
                return wire.receive(Attacker.this::onFrame, 64);
            }

            @Override
            public long untilNextNs(long nowNs) {
                return Long.MAX_VALUE >> 1;
            }
        });
    }

    private void onFrame(Frame frame) {
        MemorySegment memory = frame.memory();
        int at = frame.offset();
        Opcode opcode = Opcode.of(Bth.opcode(memory, at));
        if (Bth.destinationQp(memory, at) == RoceConstants.GSI_QP) {
            long payload = at + Opcode.UD_SEND_ONLY.headerBytes();
            keep(mads, memory.asSlice(payload, 256).toArray(ValueLayout.JAVA_BYTE));
        } else if (opcode.isRequest()) {
            int asked = opcode.has(Header.RETH) ? Reth.length(memory, at + opcode.offsetOf(Header.RETH)) : 0;
            keep(
                    requests.computeIfAbsent(Bth.destinationQp(memory, at), qp -> new ArrayDeque<>()),
                    new Asked(opcode, Bth.psn(memory, at), asked));
        }
    }

    private static <T> void keep(Deque<T> last, T value) {
        last.addFirst(value);
        if (last.size() > KEPT) {
            last.removeLast();
        }
    }

    /// A request that the device sent not long ago; null when there is none.
    Asked asked(int qp, int back) {
        Deque<Asked> sent = requests.getOrDefault(qp, new ArrayDeque<>());
        return sent.stream()
                .skip(Math.min(back, Math.max(0, sent.size() - 1)))
                .findFirst()
                .orElse(null);
    }

    Gid self() {
        return self;
    }

    Gid device() {
        return device;
    }

    int port() {
        return PORT;
    }

    void send(byte[] frame) {
        int at = wire.claim();
        if (at < 0) {
            return;
        }
        wire.sendBytes().put(at, frame, 0, Math.min(frame.length, Wire.FRAME_BYTES));
        wire.commit(at, Math.min(frame.length, Wire.FRAME_BYTES), device.high(), device.low(), Traffic.DEFAULT);
        wire.flush();
    }
}
