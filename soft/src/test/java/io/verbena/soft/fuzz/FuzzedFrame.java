package io.verbena.soft.fuzz;

import io.verbena.roce.header.Aeth;
import io.verbena.roce.header.AtomicEth;
import io.verbena.roce.header.Bth;
import io.verbena.roce.header.Deth;
import io.verbena.roce.header.Feth;
import io.verbena.roce.header.Ieth;
import io.verbena.roce.header.ImmDt;
import io.verbena.roce.header.Reth;
import io.verbena.roce.packet.Header;
import io.verbena.roce.packet.Icrc;
import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.RoceConstants;
import io.verbena.verbs.attr.Gid;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// A packet whose headers name things that exist, things that nearly exist, and nonsense. Its ICRC is right, so
/// that it gets past the first check.
final class FuzzedFrame {
    private static final int ROOM = 8192;

    /// The memory that requests may name.
    record Aim(long address, long length, int rkey) {}

    private final byte[] bytes = new byte[ROOM];
    private final MemorySegment memory = MemorySegment.ofArray(bytes);
    private final FuzzInput script;
    private final Aim[] aims;
    private final int mtu;
    /// Right in everything.
    private boolean tame;

    /// One more thing to aim at; null for none.
    private Aim window;

    private int tamePayload;
    private int tameLength;

    FuzzedFrame(FuzzInput script, int mtu, Aim... aims) {
        this.script = script;
        this.mtu = mtu;
        this.aims = aims;
    }

    /// The next frame is as a good peer sends it: so many bytes of a message of `length`.
    FuzzedFrame tame(int payload, int length) {
        tame = true;
        tamePayload = payload;
        tameLength = length;
        return this;
    }

    /// Adds memory that requests sometimes name.
    FuzzedFrame window(Aim aim) {
        window = aim;
        return this;
    }

    FuzzedFrame wild() {
        tame = false;
        return this;
    }

    private boolean oddOnceIn(int times) {
        return !tame && script.onceIn(times);
    }

    byte[] encode(Opcode opcode, int destinationQp, int psn, Gid from, int port, Gid to) {
        Arrays.fill(bytes, (byte) 0);
        Bth.write(memory, 0, opcode.code(), script.onceIn(4), 0, destinationQp, !oddOnceIn(4), psn & 0xFF_FFFF);
        int payload = payloadLength(opcode);
        headers(opcode, payload);
        int pad = oddOnceIn(16) ? script.below(4) : -payload & 3;
        Bth.padCount(memory, 0, pad);
        Arrays.fill(bytes, opcode.headerBytes(), opcode.headerBytes() + payload, (byte) (0x70 + script.below(4)));
        int end = opcode.headerBytes() + payload + pad;
        if (oddOnceIn(12)) {
            int flips = 1 + script.below(3);
            for (int i = 0; i < flips; i++) {
                bytes[script.below(Math.min(end, 48))] = (byte) script.next();
            }
        }
        if (oddOnceIn(24)) {
            end = script.below(end + 1);
        }
        return sealed(bytes, end, from, port, to);
    }

    /// With the ICRC of what it holds.
    static byte[] sealed(byte[] content, int length, Gid from, int port, Gid to) {
        byte[] frame = Arrays.copyOf(content, length + RoceConstants.ICRC_BYTES);
        if (length >= Bth.BYTES) {
            ByteBuffer buffer = ByteBuffer.wrap(frame);
            int icrc = new Icrc().compute(from.high(), from.low(), to.high(), to.low(), port, 0, buffer, 0, length);
            Icrc.store(buffer, length, icrc);
        }
        return frame;
    }

    private int payloadLength(Opcode opcode) {
        if (tame) {
            return tamePayload;
        }
        if (oddOnceIn(8)) {
            return script.of(0, 1, 3, 4, 7, 8, 9, 16, mtu - 1, mtu, mtu + 1, 2 * mtu, 4096, 4097, script.below(4200));
        }
        return switch (opcode.payloadRule()) {
            case NONE -> 0;
            case EXACTLY_MTU -> mtu;
            case EIGHT -> 8;
            case SIXTEEN -> 16;
            case ONE_TO_MTU -> 1 + script.below(mtu);
            case UP_TO_MTU -> script.of(0, 1, mtu - 1, mtu, script.below(mtu + 1));
        };
    }

    private void headers(Opcode opcode, int payload) {
        for (Header header : Header.values()) {
            if (opcode.has(header)) {
                header(header, opcode.offsetOf(header), payload, opcode);
            }
        }
    }

    private void header(Header header, int at, int payload, Opcode opcode) {
        boolean throughWindow = window != null && (header == Header.IETH || script.onceIn(3));
        Aim aim = throughWindow ? window : aims[tame ? 0 : script.below(aims.length)];
        switch (header) {
            case RETH -> Reth.write(memory, at, address(aim), rkey(aim), length(aim, payload, opcode));
            case ATOMICETH -> {
                AtomicEth.virtualAddress(memory, at, address(aim));
                AtomicEth.rkey(memory, at, rkey(aim));
                AtomicEth.swapOrAdd(memory, at, script.i64());
                AtomicEth.compare(memory, at, script.below(2));
            }
            case AETH ->
                Aeth.write(
                        memory,
                        at,
                        tame ? 0x1F : script.of(0x1F, 0x00, 0x60, 0x61, 0x62, 0x63, 0x64, 0x20, 0x2C, script.next()),
                        script.below(20));
            case DETH ->
                Deth.write(
                        memory,
                        at,
                        tame ? LiveDevice.QKEY : script.of(0x11, 0x8001_0000, script.i32()),
                        script.of(1, 0x77, 0));
            case FETH -> Feth.write(memory, at, script.below(16), script.below(4));
            case IETH -> Ieth.rkey(memory, at, rkey(aim));
            case IMMDT -> ImmDt.immediate(memory, at, script.i32());
            default -> {
                for (int i = 0; header != Header.BTH && i < header.bytes(); i++) {
                    bytes[at + i] = (byte) script.next();
                }
            }
        }
    }

    private long address(Aim aim) {
        long inside = script.below(64) * 8L;
        return oddOnceIn(4)
                ? aim.address
                        + script.of(-1, -mtu, aim.length, aim.length - 1, aim.length - 8, 1, 4, -aim.address, 1L << 40)
                : aim.address + inside;
    }

    private int rkey(Aim aim) {
        return oddOnceIn(8) ? script.of(0, -1, aim.rkey ^ 1, aim.rkey + 0x100, script.i32()) : aim.rkey;
    }

    private int length(Aim aim, int payload, Opcode opcode) {
        if (tame) {
            return tameLength;
        }
        if (oddOnceIn(6)) {
            return script.of(0, 1, mtu, payload + 1, (int) aim.length + 1, Integer.MAX_VALUE, -1, Integer.MIN_VALUE);
        }
        return opcode.endsMessage() && payload > 0 ? payload : script.of(1, 2, 3, 5) * mtu - script.below(3);
    }
}
