package io.verbena.spark.jobs;

import java.util.Random;

/// Finds an address of this host that others hardly use, so that applications do not meet at a device.
public final class Loopback {
    private Loopback() {}

    /// A new one each time on Linux; elsewhere there is only one.
    public static String address() {
        if (!System.getProperty("os.name").equals("Linux")) {
            return "127.0.0.1";
        }
        Random random = new Random();
        return "127.%d.%d.%d".formatted(random.nextInt(128, 192), random.nextInt(256), random.nextInt(1, 255));
    }
}
