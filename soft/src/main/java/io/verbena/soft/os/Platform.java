package io.verbena.soft.os;

import java.util.Set;

/// Which systems this package's calls are known to work on.
public final class Platform {
    /// Where the numbers of the calls hold.
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
