package io.verbena.tools.pingpong;

import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.SendRequest;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Locale;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/// The memory of one message to send, and of those that arrive. Every message is full of 0x7b; with `-c` the first byte
/// of each page is 0.
final class MessageMemory {
    private static final byte FILL = 0x7b;
    private static final int PAGE = 4096;
    private static final byte MARK = 0;

    private final PingPongSettings settings;
    private final MemoryRegion region;
    private final MemorySegment sent;
    private final MemorySegment[] arrived;
    private final ReceiveRequest[] receives;

    MessageMemory(PingPongSettings settings, LongFunction<MemoryRegion> allocate) {
        this.settings = settings;
        int slots = settings.slots();
        region = allocate.apply(settings.size() + slots * settings.receiveBytes());
        sent = region.memory().asSlice(0, settings.size());
        sent.fill(FILL);
        for (int page = 0; settings.check() && page < settings.size(); page += PAGE) {
            sent.set(ValueLayout.JAVA_BYTE, page, MARK);
        }
        arrived = new MemorySegment[slots];
        for (int i = 0; i < slots; i++) {
            arrived[i] = region.memory().asSlice(offset(i) + settings.receiveOffset(), settings.size());
        }
        receives = new ReceiveRequest[slots];
    }

    private long offset(int index) {
        return settings.size() + index * settings.receiveBytes();
    }

    /// Makes the receives. The number of each is that of its slot, counted from 1.
    void receives(Supplier<ReceiveRequest> newReceive) {
        for (int i = 0; i < receives.length; i++) {
            receives[i] = newReceive.get().wrId(i + 1L).into(region, offset(i), settings.receiveBytes());
        }
    }

    ReceiveRequest receive(int slot) {
        return receives[slot];
    }

    SendRequest fill(SendRequest request) {
        return request.wrId(PingPongLoop.SEND).from(region, 0, settings.size());
    }

    /// Returns what is wrong with the message in that slot, or null. Then overwrites it, so that the next message is
    /// checked by its own bytes.
    String check(int slot) {
        MemorySegment message = arrived[slot];
        if (settings.verify()) {
            long wrong = message.mismatch(sent);
            if (wrong >= 0) {
                return describe(message, wrong);
            }
            message.fill((byte) 0xEE);
        } else if (settings.check() && settings.isServer()) {
            for (int page = 0; page < settings.size(); page += PAGE) {
                if (message.get(ValueLayout.JAVA_BYTE, page) != MARK) {
                    return "invalid data in page " + page / PAGE + "; is the client run with -c, too?";
                }
            }
        }
        return null;
    }

    private String describe(MemorySegment message, long at) {
        int is = message.get(ValueLayout.JAVA_BYTE, at) & 0xFF;
        int expected = sent.get(ValueLayout.JAVA_BYTE, at) & 0xFF;
        boolean marked = at % PAGE == 0 && (is == MARK || expected == MARK);
        return String.format(
                Locale.ROOT,
                "data wrong: byte %d of %d is 0x%02x, expected 0x%02x%s",
                at,
                settings.size(),
                is,
                expected,
                marked ? "; with -c pages start with 0: give it to both sides or none" : "");
    }
}
