package io.verbena.tools.program;

import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.ConnectionId;
import java.time.Duration;
import java.util.Optional;

/// Ends a connection whose work is done.
public final class Goodbye {
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private Goodbye() {}

    /// Disconnects. A peer that does not answer is no error, since it may leave first: closing the id does the rest.
    /// Returns what went wrong.
    public static Optional<RdmaException> disconnect(ConnectionId id) {
        try {
            id.timeout(LONGEST);
            id.disconnect();
            return Optional.empty();
        } catch (RdmaException peerLeftFirst) {
            return Optional.of(peerLeftFirst);
        }
    }
}
