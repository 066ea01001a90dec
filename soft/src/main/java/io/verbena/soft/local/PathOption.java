package io.verbena.soft.local;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.util.Locale;

/// Which way connections of software devices go.
public enum PathOption {
    /// Through shared memory where both ends are of one user on one host, else over the network.
    AUTO,
    /// Over the network always.
    UDP,
    /// Through shared memory, or not at all.
    SHARED;

    /// `auto`, `udp` or `shared`.
    public static final String PROPERTY = "verbena.soft.path";

    public static PathOption current() {
        String text = System.getProperty(PROPERTY, "auto");
        try {
            return valueOf(text.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new RdmaException(
                    "open soft device",
                    Errno.EINVAL,
                    "the property " + PROPERTY + " is " + text + "; say auto, udp or shared",
                    e);
        }
    }
}
