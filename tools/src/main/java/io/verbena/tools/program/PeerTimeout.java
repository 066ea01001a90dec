package io.verbena.tools.program;

import java.time.Duration;
import picocli.CommandLine.Option;

/// The option `--timeout`, for every program with a peer.
public final class PeerTimeout {
    /// Limit for the steps of the connection manager, which cannot wait for ever.
    private static final Duration LONGEST_STEP = Duration.ofMinutes(2);

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "Give up after this many seconds of silence; 0 waits forever. Default: ${DEFAULT-VALUE}.")
    private int timeoutSeconds = 30;

    public void check(Usage usage) {
        usage.require(timeoutSeconds >= 0, "--timeout must be 0 or more seconds");
    }

    /// How long the peer may keep silent; zero: for ever.
    public Duration duration() {
        return Duration.ofSeconds(timeoutSeconds);
    }

    /// As [#duration()], for calls that cannot wait for ever.
    public Duration step() {
        return step(duration());
    }

    /// A timeout for calls that cannot wait for ever.
    ///
    /// @param timeout how long the peer may keep silent; zero: for ever
    public static Duration step(Duration timeout) {
        return timeout.isZero() || timeout.compareTo(LONGEST_STEP) > 0 ? LONGEST_STEP : timeout;
    }
}
