package io.verbena.soft.option;

import io.verbena.soft.fault.FaultPlan;
import io.verbena.soft.os.TimeText;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/// The system properties for options that the program does not set.
public final class SoftProperties {
    /// `auto`, `udp` or `shared`: see [SoftPath].
    public static final String PATH = "verbena.soft.path";

    /// A [FaultPlan] in text, to run any program under faults.
    public static final String FAULTS = "verbena.soft.faults";

    /// A file that all packets are written to, in the format of tcpdump and Wireshark; `%p` in its name is the
    /// process id and `%a` the device's address, which keep several devices apart.
    public static final String CAPTURE = "verbena.soft.capture";

    /// The most bytes of that file; 256 MiB by default.
    public static final String CAPTURE_LIMIT = "verbena.soft.capture.limit";

    /// How long threads that wait spin before they sleep: `0`, or a time such as `50us`.
    public static final String SPIN = "verbena.soft.spin";

    /// `none`, `send`, `receive` or `all`: see [Offload].
    public static final String OFFLOAD = "verbena.soft.offload";

    /// `nio` or `linux` instead of the best: see [SocketKind].
    public static final String SOCKET = "verbena.soft.wire";

    /// How many shards a device may have: see [SoftOptions#shards(int)].
    public static final String SHARDS = "verbena.soft.shards";

    /// `off` hides this process from `verbena top`.
    public static final String STATUS = "verbena.soft.status";

    /// The directory for the sockets by which `verbena top` finds processes, instead of `/tmp/verbena-USER`.
    public static final String STATUS_DIRECTORY = "verbena.soft.status.directory";

    private enum Switch {
        ON,
        OFF
    }

    private SoftProperties() {}

    /// Whether this process may be seen by `verbena top`.
    public static boolean isStatusShown() {
        return !text(STATUS).equalsIgnoreCase(Switch.OFF.name());
    }

    static SoftOptions read() {
        choice(STATUS, Switch.class, Switch.ON);
        SoftOptions usual = SoftOptions.USUAL;
        return new SoftOptions(
                choice(PATH, SoftPath.class, usual.path()),
                faults(),
                text(CAPTURE).isEmpty() ? null : text(CAPTURE),
                captureLimit(),
                spin(),
                choice(OFFLOAD, Offload.class, usual.offload()),
                choice(SOCKET, SocketKind.class, usual.socket()),
                shards());
    }

    private static String text(String property) {
        return System.getProperty(property, "").trim();
    }

    private static <E extends Enum<E>> E choice(String property, Class<E> type, E usual) {
        String text = text(property);
        try {
            return text.isEmpty() ? usual : Enum.valueOf(type, text.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw wrong(
                    property,
                    text + "; say "
                            + Arrays.stream(type.getEnumConstants())
                                    .map(constant -> constant.name().toLowerCase(Locale.ROOT))
                                    .collect(Collectors.joining(", "))
                                    .replaceFirst(", (?=[^,]*$)", " or "));
        }
    }

    private static FaultPlan faults() {
        try {
            return FaultPlan.parse(text(FAULTS));
        } catch (IllegalArgumentException e) {
            throw wrong(FAULTS, e.getMessage());
        }
    }

    private static long captureLimit() {
        String text = text(CAPTURE_LIMIT);
        try {
            long bytes = text.isEmpty() ? SoftOptions.USUAL_CAPTURE_LIMIT : Long.parseLong(text);
            if (bytes >= 0) {
                return bytes;
            }
        } catch (NumberFormatException e) {
            // no number is as wrong as a negative one
        }
        throw wrong(CAPTURE_LIMIT, text + "; say a number of bytes, 0 or more");
    }

    private static Duration spin() {
        String text = text(SPIN);
        if (text.isEmpty()) {
            return null;
        }
        long ns = text.equals("0") ? 0 : TimeText.parseNs(text);
        if (ns < 0 || ns > SoftOptions.LONGEST_SPIN.toNanos()) {
            throw wrong(SPIN, text + "; say 0, or a whole number with ns, us or ms, 1000ms at most");
        }
        return Duration.ofNanos(ns);
    }

    private static int shards() {
        String text = text(SHARDS);
        try {
            int most = text.isEmpty() ? SoftOptions.USUAL.shards() : Integer.parseInt(text);
            if (most >= 1 && most <= SoftOptions.MOST_SHARDS) {
                return most;
            }
        } catch (NumberFormatException e) {
            // no number is as wrong as one that is too large
        }
        throw wrong(SHARDS, text + "; say 1 to " + SoftOptions.MOST_SHARDS);
    }

    private static RdmaException wrong(String property, String problem) {
        return new RdmaException("open soft device", Errno.EINVAL, "system property " + property + ": " + problem);
    }
}
