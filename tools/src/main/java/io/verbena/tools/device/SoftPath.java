package io.verbena.tools.device;

import java.util.Locale;
import java.util.function.IntSupplier;

/// `--path`: the path of connections between software devices.
///
/// The connection manager opens devices by itself, so the path is set for the whole provider, by the system property
/// that programs without this option use. Devices that are open keep their path.
public enum SoftPath {
    AUTO,
    UDP,
    SHARED;

    private static final String PROPERTY = "verbena.soft.path";

    /// Sets the path of devices that are opened from now on.
    public void use() {
        System.setProperty(PROPERTY, toString());
    }

    /// Whether an option or the property sets the path.
    public static boolean isSaid() {
        return System.getProperty(PROPERTY) != null;
    }

    /// The value of the property, valid or not; else `auto`.
    public static String said() {
        return System.getProperty(PROPERTY, AUTO.toString());
    }

    /// The property for the JVM of another process, `name=value`.
    public String property() {
        return PROPERTY + "=" + this;
    }

    /// Runs a command and restores the property after it, since one process may run several commands.
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
