package io.verbena.tools.pingpong;

import io.verbena.tools.program.ProgramException;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/// Ends a run in which nothing happens any more: a message was lost, which only reliable connections send again, or the
/// peer is gone, or counts otherwise.
final class Watch {
    /// After this the news that the peer's program has ended is believed; its last messages may be on their way.
    private static final Duration LAST_MESSAGES = Duration.ofSeconds(2);

    private final PingPongSettings settings;
    private final BooleanSupplier isClosed;
    private long seen = -1;
    private long sinceNs;
    private boolean looked;
    private boolean wasOpen;

    /// @param isClosed whether the peer has closed the side channel
    Watch(PingPongSettings settings, BooleanSupplier isClosed) {
        this.settings = settings;
        this.isClosed = isClosed;
    }

    /// To be called now and then. It notices Ctrl-C, too.
    void look(int sent, int received) {
        if (Thread.interrupted()) {
            throw new RdmaException("exchange messages", Errno.EINTR, "the thread was interrupted");
        }
        lookAtPeer(received);
        long now = System.nanoTime();
        long count = (long) sent + received;
        if (count != seen) {
            seen = count;
            sinceNs = now;
            return;
        }
        long silenceNs = now - sinceNs;
        Duration patience = settings.silence(received);
        if (!patience.isZero() && silenceNs > patience.toNanos()) {
            throw new ProgramException(progress(sent, received) + ", then nothing came for " + patience.toSeconds()
                    + " s: " + settings.remedy() + "; --timeout sets how long to wait");
        }
        if (wasOpen && silenceNs > LAST_MESSAGES.toNanos() && isClosed.getAsBoolean()) {
            throw new ProgramException(
                    progress(sent, received) + ", then the peer's program ended; was it given the same -n?");
        }
    }

    /// A side channel that is open when messages come, and closed later, tells that the peer's program has ended. The C
    /// programs close it before they send, so of theirs it tells nothing.
    private void lookAtPeer(int received) {
        if (received > 0 && !looked) {
            looked = true;
            wasOpen = !isClosed.getAsBoolean();
        }
    }

    private String progress(int sent, int received) {
        return "sent " + sent + " and received " + received + " of " + settings.iterations() + " messages";
    }
}
