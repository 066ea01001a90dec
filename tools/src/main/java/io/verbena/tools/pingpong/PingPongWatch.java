package io.verbena.tools.pingpong;

import io.verbena.tools.program.ProgramException;
import io.verbena.tools.program.Result;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/// Ends a run that makes no progress: a message was lost, which only reliable connections retransmit, or the peer is
/// gone or has another message count.
final class PingPongWatch {
    /// How long to wait for the last messages of a peer whose program has ended.
    private static final Duration LAST_MESSAGES = Duration.ofSeconds(2);

    private final PingPongSettings settings;
    private final BooleanSupplier isClosed;
    private long seen = -1;
    private long sinceNs;
    private boolean isChannelChecked;
    private boolean wasOpen;

    /// @param isClosed whether the peer has closed the side channel
    PingPongWatch(PingPongSettings settings, BooleanSupplier isClosed) {
        this.settings = settings;
        this.isClosed = isClosed;
    }

    /// To be called now and then. Also notices Ctrl-C.
    void check(int sent, int received) {
        if (Thread.interrupted()) {
            throw Result.interrupt("exchange messages");
        }
        checkSideChannel(received);
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

    /// When the side channel is open while messages arrive and closed later, the peer's program has ended. The C
    /// programs close it before they send, so for them it means nothing.
    private void checkSideChannel(int received) {
        if (received > 0 && !isChannelChecked) {
            isChannelChecked = true;
            wasOpen = !isClosed.getAsBoolean();
        }
    }

    private String progress(int sent, int received) {
        return "sent " + sent + " and received " + received + " of " + settings.iterations() + " messages";
    }
}
