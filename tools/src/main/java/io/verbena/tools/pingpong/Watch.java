package io.verbena.tools.pingpong;

import io.verbena.tools.program.ProgramException;
import io.verbena.tools.program.SideChannel;
import java.time.Duration;

/// Ends a run in which nothing happens any more: a message was lost, which only reliable connections send again, or the
/// peer is gone, or counts otherwise.
final class Watch {
    /// After this the news that the peer's program has ended is believed; its last messages may be on their way.
    private static final Duration LAST_MESSAGES = Duration.ofSeconds(2);

    private final PingPongSettings settings;
    private final SideChannel channel;
    private long seen = -1;
    private long sinceNs;
    private boolean looked;
    private boolean wasOpen;

    Watch(PingPongSettings settings, SideChannel channel) {
        this.settings = settings;
        this.channel = channel;
    }

    /// To be called now and then while nothing comes in.
    void look(int sent, int received) {
        long now = System.nanoTime();
        long count = (long) sent + received;
        if (count != seen) {
            seen = count;
            sinceNs = now;
            return;
        }
        Duration silence = Duration.ofNanos(now - sinceNs);
        Duration patience = settings.silence(received);
        if (!patience.isZero() && silence.compareTo(patience) > 0) {
            throw new ProgramException(progress(sent, received) + ", then nothing came for " + patience.toSeconds()
                    + " s: " + settings.remedy() + "; --timeout sets how long to wait");
        }
        if (hasEnded(received) && silence.compareTo(LAST_MESSAGES) > 0) {
            throw new ProgramException(progress(sent, received) + ", then the peer's program ended");
        }
    }

    /// Whether the side channel was open when messages came, and is not now. The C programs close it before they send,
    /// so of theirs it tells nothing.
    private boolean hasEnded(int received) {
        if (received == 0) {
            return false;
        }
        if (!looked) {
            looked = true;
            wasOpen = !channel.isClosedByPeer(Duration.ZERO);
        }
        return wasOpen && channel.isClosedByPeer(Duration.ZERO);
    }

    private String progress(int sent, int received) {
        return "sent " + sent + " and received " + received + " of " + settings.iterations() + " messages";
    }
}
