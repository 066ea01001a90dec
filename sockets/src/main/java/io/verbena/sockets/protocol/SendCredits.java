package io.verbena.sockets.protocol;

/// How many data messages may be sent: a count of those sent, and the peer's limit for it, both modulo 2^16.
///
/// The limit is absolute. A peer can only raise it; a limit that is behind the count, or further ahead than the peer
/// has receives, is a lie.
final class SendCredits {
    private static final int MASK = 0xFFFF;

    private final int most;
    private int sent;
    private int limit;

    SendCredits(int credits) {
        most = credits;
        limit = credits & MASK;
    }

    boolean isEmpty() {
        return sent == limit;
    }

    void take() {
        sent = sent + 1 & MASK;
    }

    /// Only the low 16 bits of the value count.
    void limit(int value) {
        int now = value & MASK;
        int left = now - sent & MASK;
        int before = limit - sent & MASK;
        if (left > most || left < before) {
            throw new ProtocolException(
                    "the peer sets a limit of %d credits, where %d messages were sent, the limit was %d and it takes %d ahead"
                            .formatted(now, sent, limit, most));
        }
        limit = now;
    }

    @Override
    public String toString() {
        return "%d messages sent of %d allowed".formatted(sent, limit);
    }
}
