package io.verbena.soft.event;

import io.verbena.roce.dump.GidText;
import io.verbena.verbs.attr.Gid;

/// How events write addresses and numbers: as messages and traces do.
public final class EventText {
    private EventText() {}

    public static String of(Gid address) {
        return address == null ? "" : of(address.high(), address.low());
    }

    static String of(long high, long low) {
        return (high | low) == 0 ? "" : GidText.of(high, low);
    }

    public static String queuePair(int number) {
        return number == 0 ? "" : "0x" + Integer.toHexString(number);
    }

    public static String path(boolean isLocal) {
        return isLocal ? "shared memory" : "UDP";
    }
}
