package io.verbena.rdmacore.lib;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.verbena.verbs.RdmaException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// Several descriptors as one (`epoll`), which is ready for reading while any of them is.
public final class DescriptorSet implements AutoCloseable {
    private static final int EPOLL_CLOEXEC = 0x80000;
    private static final int EPOLL_CTL_ADD = 1;
    private static final int EPOLLIN = 1;
    /// Room for `struct epoll_event` on every architecture; the events are at its beginning.
    private static final long EVENT_BYTES = 16;

    private static final MethodHandle CREATE = Libc.function("epoll_create1", JAVA_INT, JAVA_INT);
    private static final MethodHandle CONTROL =
            Libc.function("epoll_ctl", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);

    private final int fd;

    public DescriptorSet(int... members) {
        MemorySegment state = CallState.mine();
        try {
            fd = CallState.result(state, (int) CREATE.invokeExact(state, EPOLL_CLOEXEC));
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
        if (fd < 0) {
            throw Failures.of(Failures.Subject.EVENT, "epoll_create1", fd);
        }
        try {
            for (int member : members) {
                add(member);
            }
        } catch (RdmaException e) {
            close();
            throw e;
        }
    }

    /// Until the set or the member is closed.
    public void add(int member) {
        MemorySegment state = CallState.mine();
        int failed;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment event = arena.allocate(EVENT_BYTES, Long.BYTES);
            event.set(JAVA_INT, 0, EPOLLIN);
            failed = CallState.result(
                    state, (int) CONTROL.invokeExact(state, fd, EPOLL_CTL_ADD, member, event.address()));
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
        if (failed < 0) {
            throw Failures.of(Failures.Subject.EVENT, "epoll_ctl", failed);
        }
    }

    public int fd() {
        return fd;
    }

    /// Closes the set, not its members.
    @Override
    public void close() {
        Libc.close(fd);
    }
}
