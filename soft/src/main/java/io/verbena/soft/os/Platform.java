package io.verbena.soft.os;

import java.util.Set;

/// The systems on which the calls of this package are known to work.
public final class Platform {
    /// The architectures whose call numbers and struct layouts this package uses.
    private static final Set<String> KNOWN_ARCHITECTURES = Set.of("amd64", "x86_64", "aarch64");

    private Platform() {}

    public static boolean isKnown() {
        return text().startsWith("Linux") && KNOWN_ARCHITECTURES.contains(System.getProperty("os.arch"));
    }

    /// The system in words.
    public static String text() {
        return System.getProperty("os.name") + " on " + System.getProperty("os.arch");
    }
}
