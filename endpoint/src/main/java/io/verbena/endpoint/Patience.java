package io.verbena.endpoint;

/// How long threads of a hub poll before they sleep. Waking up takes tens of microseconds, so a thread polls for about
/// as long. While messages come quickly, threads poll far longer: a pause is then most probably one of the operating
/// system, which gave the processor of the other side to another program, and two sides that fell asleep would keep
/// each other asleep, because each takes longer to wake up than the other polls.
///
/// Used by the owner of the hub and by threads that sleep: a hint that may be a little wrong.
final class Patience {
    /// How many times longer threads poll while messages come quickly.
    private static final int MANY = 20;

    /// The same for virtual threads.
    private static final int SOME = 5;

    /// A sleep that was not longer than so many spins should have been a spin.
    private static final int SHORT_SLEEP = 20;

    /// From so many quick messages on, less those that were waited for in vain.
    private static final int ENOUGH = 16;

    private static final int MOST = 8 * ENOUGH;

    /// Longer than a round trip over UDP. The operating system may have put both sides on one processor, and then each
    /// keeps the other one waiting for so long.
    private static final long LONGEST_WITHOUT_PAUSE_NS = 10_000;

    private final long spinNs;
    private int quick;

    Patience(long spinNs) {
        this.spinNs = spinNs;
    }

    /// How long to poll without a pause. Longer polls let other programs run in between.
    long withoutPauseNs() {
        return Math.min(spinNs, LONGEST_WITHOUT_PAUSE_NS);
    }

    /// How long to poll in all.
    long mostNs() {
        return isQuick() ? MANY * spinNs : spinNs;
    }

    /// The same for a virtual thread, which cannot let other programs run in between. It is longer than waking up
    /// takes.
    long mostVirtualNs() {
        return SOME * spinNs;
    }

    /// Whether messages come quickly.
    boolean isQuick() {
        return quick >= ENOUGH;
    }

    /// Something came while a thread polled.
    void onCame() {
        if (quick < MOST) {
            quick++;
        }
    }

    /// A thread has slept.
    void onSlept(long timeNs) {
        quick = timeNs < SHORT_SLEEP * spinNs ? Math.max(quick, ENOUGH) : quick / 2;
    }
}
