package io.verbena.tools;

import java.util.concurrent.ThreadLocalRandom;

/// All of 127.0.0.0/8 is this host: tests take any of it, so that several may run on one machine.
public final class LoopbackAddress {
    private LoopbackAddress() {}

    public static String any() {
        var random = ThreadLocalRandom.current();
        return "127." + random.nextInt(1, 255) + "." + random.nextInt(256) + "." + random.nextInt(1, 255);
    }
}
