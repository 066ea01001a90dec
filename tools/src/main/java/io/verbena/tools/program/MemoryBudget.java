package io.verbena.tools.program;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;

/// Limits the memory of all clients together: each client asks for what it wants, and none can be trusted.
public final class MemoryBudget {
    private final long most;
    private final String name;
    private final String remedy;
    private final AtomicLong taken = new AtomicLong();

    /// @param name the name of the limit in errors
    public MemoryBudget(long most, String name, String remedy) {
        this.most = most;
        this.name = name;
        this.remedy = remedy;
    }

    /// Half of the memory of the machine, or of the container that this process runs in.
    public static MemoryBudget halfOfTheMachine(String remedy) {
        long all =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
        return new MemoryBudget(all / 2, "half of the server's memory", remedy);
    }

    /// The memory of one client, until it is closed.
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
