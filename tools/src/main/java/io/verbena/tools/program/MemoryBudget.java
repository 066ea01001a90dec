package io.verbena.tools.program;

import java.util.concurrent.atomic.AtomicLong;

/// How much memory clients may ask for: each says by itself how much, and nobody knows who it is.
public final class MemoryBudget {
    private final long most;
    private final String name;
    private final String remedy;
    private final AtomicLong taken = new AtomicLong();

    /// @param name what the limit is called, for the error
    public MemoryBudget(long most, String name, String remedy) {
        this.most = most;
        this.name = name;
        this.remedy = remedy;
    }

    /// Memory that one client has until it is closed.
    public interface Share extends AutoCloseable {
        @Override
        void close();
    }

    public Share take(long bytes) {
        long all = taken.addAndGet(bytes);
        if (all > most) {
            taken.addAndGet(-bytes);
            throw new ProgramException("the client announces " + bytes + " bytes, but "
                    + (bytes > most ? name : "what " + name + " leaves beside the other clients") + " is "
                    + (bytes > most ? most : most - (all - bytes)) + "; " + remedy);
        }
        return () -> taken.addAndGet(-bytes);
    }
}
