package io.verbena.soft.cq;

import io.verbena.soft.engine.Engine;
import io.verbena.verbs.CompletionHandler;
import java.util.Arrays;

/// Takes short messages from shared memory in the very call that polls for their completions, past the engine's cycle
/// and the ring of completions: that halves the way from the peer's store to the program's handler. All that is not
/// plain is left to the cycle, which does the same, and more. For whoever holds the queue's poll lock; connections come
/// and go under the engine's ownership.
final class ShortPolls {
    /// The engine's cycle must look at it.
    static final int LEFT = -1;

    /// With more connections the cycle is faster: it knows which of them are quiet.
    private static final int MOST_SOURCES = 8;

    private static final int MOST_AT_ONCE = 32;

    private static final ShortMessages[] NONE = {};

    private final Engine engine;
    private final CompletionView view;
    private volatile ShortMessages[] sources = NONE;
    /// Messages taken in one call, for now. After a pause the next one may come alone, as in a ping-pong: then looking
    /// behind it would only make it late, since the peer has touched what lies there.
    private int budget = 1;

    ShortPolls(Engine engine, CompletionView view) {
        this.engine = engine;
        this.view = view;
    }

    void add(ShortMessages source) {
        ShortMessages[] more = Arrays.copyOf(sources, sources.length + 1);
        more[sources.length] = source;
        sources = more;
    }

    void remove(ShortMessages source) {
        sources = Arrays.stream(sources).filter(other -> other != source).toArray(ShortMessages[]::new);
    }

    /// Whether there are connections to look at.
    boolean areOfUse() {
        int count = sources.length;
        return count > 0 && count <= MOST_SOURCES && engine.isSharedOnly();
    }

    /// How many were given to the handler, at most `limit`; [#LEFT] when there was none and the cycle must look.
    int poll(CompletionHandler handler, int limit, CompletionRing ring) {
        int most = Math.min(budget, limit);
        int taken = 0;
        boolean more = true;
        while (more && taken < most) {
            int found = take(ring);
            if (found > 0) {
                taken++;
                handler.onCompletion(view);
            } else if (found < 0 && taken == 0) {
                return LEFT;
            }
            more = found > 0;
        }
        budget = taken == 0 ? 1 : taken == budget ? Math.min(MOST_AT_ONCE, taken * 2) : budget;
        return taken;
    }

    private int take(CompletionRing ring) {
        if (!engine.tryOwnIdle()) {
            return LEFT;
        }
        try {
            // Only the owner adds to the ring: so what is in it does not come after what is taken here.
            return ring.isEmpty() ? engine.inboxes().takeShort(sources, view) : LEFT;
        } catch (InternalError cut) {
            engine.onDriverFault(cut);
            return LEFT;
        } finally {
            engine.disown();
        }
    }
}
