package io.verbena.tools.device;

import java.util.Locale;
import java.util.function.IntSupplier;

/// `--path`: which way connections of the software device go.
///
/// The connection manager opens devices by itself, so the way is told to the provider as a whole, by the property
/// that programs without this option have; devices that are open keep theirs.
public enum SoftPath {
    AUTO,
    UDP,
    SHARED;

    private static final String PROPERTY = "verbena.soft.path";

    /// For devices that are opened from now on.
    void use() {
        System.setProperty(PROPERTY, toString());
    }

    /// Whether somebody said which way to go, by option or property.
    public static boolean isSaid() {
        return System.getProperty(PROPERTY) != null;
    }

    /// What somebody said, right or wrong; else `auto`.
    public static String said() {
        return System.getProperty(PROPERTY, AUTO.toString());
    }

    /// As the JVM of another process is told, `name=value`.
    public String property() {
        return PROPERTY + "=" + this;
    }

    /// Runs a command; its choice does not outlive it, since one process may run several.
    public static int during(IntSupplier command) {
        String before = System.getProperty(PROPERTY);
        try {
            return command.getAsInt();
        } finally {
            if (before == null) {
                System.clearProperty(PROPERTY);
            } else {
                System.setProperty(PROPERTY, before);
            }
        }
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
