package io.verbena.soft.device;

import io.verbena.soft.engine.Driver;
import io.verbena.soft.net.AddressText;
import io.verbena.soft.os.TimeText;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.net.InetAddress;

/// How long threads that wait spin before they sleep.
public final class SpinOption {
    /// `0`, or a time such as `50us`; see [Driver#spinNs] for what holds where nobody says.
    public static final String PROPERTY = "verbena.soft.spin";

    /// Who wants to spin longer than that had better poll.
    private static final long LONGEST_NS = 1_000_000_000;

    private SpinOption() {}

    /// In nanoseconds; [Driver#USUAL_SPIN] when nobody says.
    static long current(InetAddress local) {
        String text = System.getProperty(PROPERTY, "").trim();
        if (text.isEmpty()) {
            return Driver.USUAL_SPIN;
        }
        if (text.equals("0")) {
            return 0;
        }
        long ns = TimeText.parseNs(text);
        if (ns < 0 || ns > LONGEST_NS) {
            throw new RdmaException(
                    "open soft device " + AddressText.of(local),
                    Errno.EINVAL,
                    "the property " + PROPERTY + " is " + text
                            + "; say 0, or a whole number with ns, us or ms, 1000ms at most");
        }
        return ns;
    }
}
