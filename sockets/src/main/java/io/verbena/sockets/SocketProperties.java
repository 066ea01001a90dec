package io.verbena.sockets;

import java.util.Locale;

/// The system properties of this module.
final class SocketProperties {
    /// How long waiting threads poll before they sleep, in microseconds.
    static final String SPIN = "verbena.sockets.spin";

    private static final long DEFAULT_SPIN_US = 100;
    private static final boolean ALONE = Runtime.getRuntime().availableProcessors() == 1;

    private SocketProperties() {}

    static long spinNs() {
        return number(SPIN, ALONE ? 0 : DEFAULT_SPIN_US, 0, 1_000_000) * 1000;
    }

    static long number(String name, long otherwise, long least, long most) {
        String text = System.getProperty(name);
        if (text == null) {
            return otherwise;
        }
        try {
            long number = Long.parseLong(text.strip());
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // told below
        }
        throw new IllegalArgumentException(
                "-D%s=%s: a number from %d to %d is expected".formatted(name, text, least, most));
    }

    static boolean isTrue(String name) {
        String text = System.getProperty(name);
        return text != null && (text.isEmpty() || "true".equals(text.strip().toLowerCase(Locale.ROOT)));
    }
}
