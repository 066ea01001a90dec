package io.verbena.soft.rig;

import io.verbena.roce.packet.Header;
import io.verbena.roce.packet.Opcode;
import io.verbena.soft.fault.FrameMatcher;
import io.verbena.soft.fault.FrameView;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// Records all frames that a simulated host sends to its peer, and drops those that a test selects.
public final class Tap implements FrameMatcher {
    /// A frame as it left; `lost` when it never arrived. The syndrome is 0 where there is none.
    public record Frame(
            Opcode opcode, int psn, boolean ackRequested, int syndrome, Duration at, boolean lost, byte[] bytes) {
        public boolean is(Opcode other) {
            return opcode == other;
        }

        @Override
        public String toString() {
            return "%s 0x%x%s".formatted(opcode, psn, lost ? " (lost)" : "");
        }
    }

    private final Supplier<Duration> clock;
    private final List<Frame> frames = new ArrayList<>();
    private Predicate<Frame> unwanted = frame -> false;
    private long losses;

    Tap(Supplier<Duration> clock) {
        this.clock = clock;
    }

    /// Loses the next `times` frames that match, from now on.
    public Tap lose(int times, Predicate<Frame> which) {
        unwanted = which;
        losses = times;
        return this;
    }

    public Tap lose(int times, Opcode opcode) {
        return lose(times, frame -> frame.is(opcode));
    }

    public Tap loseEverything() {
        return lose(Integer.MAX_VALUE, frame -> true);
    }

    public Tap loseNothing() {
        return lose(0, frame -> false);
    }

    public List<Frame> frames() {
        return frames;
    }

    public List<Frame> frames(Opcode opcode) {
        return frames.stream().filter(frame -> frame.is(opcode)).toList();
    }

    public int count(Opcode opcode) {
        return frames(opcode).size();
    }

    public void forget() {
        frames.clear();
    }

    @Override
    public boolean matches(FrameView view) {
        ByteBuffer bytes = ByteBuffer.allocate(view.length());
        for (int i = 0; i < view.length(); i++) {
            bytes.put(i, (byte) view.byteAt(i));
        }
        Opcode opcode = Opcode.of(view.opcode());
        boolean answers = opcode != null && opcode.has(Header.AETH);
        int syndrome = answers ? view.byteAt(12) : 0;
        boolean ackRequested = (view.byteAt(8) & 0x80) != 0;
        Frame frame = new Frame(opcode, view.psn(), ackRequested, syndrome, clock.get(), false, bytes.array());
        boolean lost = losses > 0 && unwanted.test(frame);
        losses -= lost ? 1 : 0;
        frames.add(lost ? new Frame(opcode, frame.psn, ackRequested, syndrome, frame.at, true, frame.bytes) : frame);
        return lost;
    }
}
