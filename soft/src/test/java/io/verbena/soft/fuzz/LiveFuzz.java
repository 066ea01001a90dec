package io.verbena.soft.fuzz;

import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.Transport;
import io.verbena.soft.fuzz.LiveDevice.Victim;
import io.verbena.soft.rig.GuardedMemory;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.UnsupportedVerbException;
import io.verbena.verbs.attr.QueuePairState;
import java.time.Duration;
import java.util.Arrays;

/// A device that works while its peer sends packets that are right, nearly right, or nonsense. Each input is a sequence
/// of frames, posts, polls and pauses.
public final class LiveFuzz {
    private static final Opcode[] OPCODES = Opcode.values();
    private static final Duration SETTLE = Duration.ofSeconds(2);

    private final LiveDevice device = new LiveDevice();
    private final Attacker attacker = new Attacker(device.network);
    private final FuzzInput script;
    private final FuzzedFrame frames;

    private LiveFuzz(byte[] input) {
        script = new FuzzInput(input);
        frames = new FuzzedFrame(
                script, LiveDevice.MTU, aim(device.open), aim(device.open), aim(device.readOnly), aim(device.foreign));
    }

    private static FuzzedFrame.Aim aim(GuardedMemory memory) {
        return new FuzzedFrame.Aim(memory.address(), memory.length(), memory.rkey());
    }

    public static void fuzzerTestOneInput(byte[] input) {
        LiveFuzz fuzz = new LiveFuzz(input);
        try (fuzz.device) {
            while (!fuzz.script.isOver()) {
                fuzz.step();
            }
            fuzz.device.run(SETTLE);
            fuzz.device.verify();
        }
    }

    private void step() {
        Victim victim = device.victims.get(script.below(device.victims.size()));
        switch (script.below(16)) {
            case 0 -> request(victim, opcodeOf(victim.transport, true), 1);
            case 1, 2, 3, 4, 5 -> message(victim);
            case 6 -> response(victim);
            case 7, 8 -> answer(victim);
            case 9 -> attacker.send(frame(OPCODES[script.below(OPCODES.length)], victim, script.i32()));
            case 10, 11 -> post(victim);
            case 12 -> receive(victim);
            case 13 -> {
                if (script.onceIn(3)) {
                    bind(victim);
                }
                device.run(Duration.ofNanos(script.of(1000, 10_000, 1_000_000, 50_000_000)));
            }
            case 14 -> device.poll();
            default -> {
                if (script.onceIn(3)) {
                    restart(victim);
                }
            }
        }
    }

    private Opcode opcodeOf(Transport transport, boolean request) {
        Opcode[] fitting = Arrays.stream(OPCODES)
                .filter(opcode -> opcode.transport() == transport && opcode.isRequest() == request)
                .toArray(Opcode[]::new);
        return fitting[script.below(fitting.length)];
    }

    private void bind(Victim victim) {
        revive(victim);
        try {
            if (victim.transport != Transport.UD) {
                device.bind(victim);
            }
        } catch (RdmaException refused) {
            requireReason(refused, victim);
        }
    }

    private byte[] frame(Opcode opcode, Victim victim, int psn) {
        frames.window(
                victim.window == null
                        ? null
                        : new FuzzedFrame.Aim(device.open.address(), device.open.length() / 2, victim.window.rkey()));
        return frames.encode(opcode, victim.qp.number(), psn, attacker.self(), attacker.port(), attacker.device());
    }

    /// One message, mostly as a good peer sends it: in order, of the lengths it says, to memory that is open.
    private void message(Victim victim) {
        revive(victim);
        int packets = victim.transport == Transport.UD ? 1 : 1 + script.below(4);
        int last = script.of(0, 1, 4, LiveDevice.MTU - 1, LiveDevice.MTU);
        int length = (packets - 1) * LiveDevice.MTU + (packets > 1 ? Math.max(1, last) : last);
        int kind = script.below(10);
        if (kind > 6 && victim.transport == Transport.RC) {
            Opcode single = script.pick(
                    Opcode.RC_RDMA_READ_REQUEST,
                    Opcode.RC_COMPARE_SWAP,
                    Opcode.RC_FETCH_ADD,
                    Opcode.RC_ATOMIC_WRITE,
                    Opcode.RC_FLUSH);
            frames.tame(single == Opcode.RC_ATOMIC_WRITE ? 8 : 0, single == Opcode.RC_ATOMIC_WRITE ? 8 : length);
            request(victim, single, single == Opcode.RC_RDMA_READ_REQUEST ? packets : 1);
            return;
        }
        boolean write = kind > 3 && victim.transport != Transport.UD;
        String end = script.pick("", "", "_WITH_IMMEDIATE", write ? "" : "_WITH_INVALIDATE");
        for (int i = 0; i < packets; i++) {
            String place = packets == 1 ? "ONLY" : i == 0 ? "FIRST" : i == packets - 1 ? "LAST" : "MIDDLE";
            String name = victim.transport + (write ? "_RDMA_WRITE_" : "_SEND_") + place;
            boolean ends = i == packets - 1;
            Opcode opcode = named(name + (ends ? end : ""), name);
            frames.tame(ends ? length - i * LiveDevice.MTU : LiveDevice.MTU, length);
            request(victim, opcode, 1);
        }
    }

    private static Opcode named(String name, String otherwise) {
        return Arrays.stream(OPCODES)
                .filter(opcode -> opcode.name().equals(name))
                .findFirst()
                .orElseGet(() -> Opcode.valueOf(otherwise));
    }

    /// Sends a packet that was prepared, now and then with something wrong, at the wrong place, or twice.
    private void request(Victim victim, Opcode opcode, int psns) {
        if (script.onceIn(12)) {
            frames.wild();
        }
        int psn = victim.nextPsn;
        if (script.onceIn(12)) {
            psn += script.below(64) - 32;
        } else {
            victim.nextPsn += psns;
        }
        byte[] frame = frame(opcode, victim, psn);
        for (int times = script.onceIn(12) ? 2 : 1; times > 0; times--) {
            attacker.send(frame);
        }
        frames.wild();
        if (script.onceIn(2)) {
            device.run(Duration.ofNanos(20_000));
        }
    }

    private void response(Victim victim) {
        Transport transport = victim.transport == Transport.RC ? Transport.RC : Transport.XRC;
        Attacker.Asked asked = attacker.asked(victim.peer, script.below(4));
        int psn = (asked == null ? LiveDevice.DEVICE_PSN : asked.psn()) + script.below(40) - 20;
        attacker.send(frame(opcodeOf(transport, false), victim, psn));
    }

    /// Answers a request of the device's, mostly as a good peer does.
    private void answer(Victim victim) {
        device.run(Duration.ofNanos(20_000));
        Attacker.Asked asked = attacker.asked(victim.peer, script.below(3));
        if (asked == null) {
            return;
        }
        switch (asked.opcode()) {
            case RC_RDMA_READ_REQUEST -> {
                int packets = Math.max(1, (asked.length() + LiveDevice.MTU - 1) / LiveDevice.MTU);
                for (int i = 0; i < packets; i++) {
                    String place = packets == 1 ? "ONLY" : i == 0 ? "FIRST" : i == packets - 1 ? "LAST" : "MIDDLE";
                    frames.tame(Math.min(LiveDevice.MTU, asked.length() - i * LiveDevice.MTU), 0);
                    reply(victim, Opcode.valueOf("RC_RDMA_READ_RESPONSE_" + place), asked.psn() + i);
                }
            }
            case RC_COMPARE_SWAP, RC_FETCH_ADD -> {
                frames.tame(0, 0);
                reply(victim, Opcode.RC_ATOMIC_ACKNOWLEDGE, asked.psn());
            }
            default -> {
                frames.tame(0, 0);
                reply(victim, Opcode.RC_ACKNOWLEDGE, asked.psn());
            }
        }
    }

    private void reply(Victim victim, Opcode opcode, int psn) {
        if (script.onceIn(10)) {
            frames.wild();
        }
        attacker.send(frame(opcode, victim, psn));
        frames.wild();
    }

    private void post(Victim victim) {
        int length = script.of(0, 1, LiveDevice.MTU, LiveDevice.MTU + 1, 3 * LiveDevice.MTU);
        long wrId = device.nextWrId();
        SendRequest request = victim.qp.newSendRequest().wrId(wrId).signaled(!script.onceIn(4));
        long address = 0x1234_5678_9000L;
        revive(victim);
        switch (script.below(8)) {
            case 0, 1 -> request.send().from(device.source().region(), 0, length);
            case 2 -> request.write(address, 7).from(device.source().region(), 0, length);
            case 3, 4 -> request.read(address, 7).into(device.received().region(), 0, length);
            case 5 -> request.fetchAndAdd(address, 7, 1).into(device.received().region(), 8, 8);
            case 6 ->
                request.compareAndSwap(address, 7, 1, 2).into(device.received().region(), 8, 8);
            default ->
                request.writeWithImmediate(address, 7, 9).from(device.source().region(), 0, length);
        }
        if (victim.transport == Transport.UD) {
            request.to(victim.handle, victim.peer, LiveDevice.QKEY);
        }
        try {
            device.posted(wrId);
            victim.qp.post(request.fenced(script.onceIn(4)));
        } catch (UnsupportedVerbException notYet) {
            return;
        } catch (RdmaException refused) {
            requireReason(refused, victim);
        }
    }

    private void receive(Victim victim) {
        long wrId = device.nextWrId();
        int length = script.of(0, 1, LiveDevice.MTU, 4 * LiveDevice.MTU);
        MemoryRegion buffer = device.received().region();
        try {
            device.posted(wrId);
            if (victim.shared != null) {
                victim.shared.post(victim.shared.newReceiveRequest().wrId(wrId).into(buffer, 0, length));
            } else {
                victim.qp.post(victim.qp.newReceiveRequest().wrId(wrId).into(buffer, 0, length));
            }
        } catch (RdmaException refused) {
            requireReason(refused, victim);
        }
    }

    /// Requests are refused for the state of the queue pair, its kind, or its shared receive queue.
    private static void requireReason(RdmaException refused, Victim victim) {
        if (refused.getMessage() == null || refused.getMessage().isBlank()) {
            throw new AssertionError("no reason given on " + victim.qp, refused);
        }
    }

    private void restart(Victim victim) {
        device.poll();
        victim.qp.modify(QueuePairChange.to(QueuePairState.RESET));
        device.connect(victim);
    }

    private void revive(Victim victim) {
        if (victim.qp.state() == QueuePairState.ERR) {
            restart(victim);
            receive(victim);
            receive(victim);
        }
    }
}
