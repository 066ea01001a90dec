package io.verbena.tools.copy;

import io.verbena.tools.program.ProgramException;
import java.util.concurrent.atomic.AtomicLong;

/// How much memory clients may ask for: each says by itself how much, and nobody knows who it is.
final class MemoryBudget {
    private final long most;
    private final AtomicLong taken = new AtomicLong();

    MemoryBudget(long most) {
        this.most = most;
    }

    /// Memory that one client has until it is closed.
    interface Share extends AutoCloseable {
        @Override
        void close();
    }

    Share take(long bytes) {
        long all = taken.addAndGet(bytes);
        if (all > most) {
            taken.addAndGet(-bytes);
            throw new ProgramException("the client announces " + bytes + " bytes, but "
                    + (bytes > most ? "--max" : "what --max leaves beside the other clients") + " is "
                    + (bytes > most ? most : most - (all - bytes)) + "; --max sets how much memory clients may take");
        }
        return () -> taken.addAndGet(-bytes);
    }
}
