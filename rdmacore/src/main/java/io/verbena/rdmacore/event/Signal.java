package io.verbena.rdmacore.event;

import io.verbena.rdmacore.lib.Failures;
import io.verbena.rdmacore.lib.Failures.Subject;
import io.verbena.rdmacore.lib.Libc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Wakes threads that wait on descriptors: a descriptor of its own that is ready from [#raise] to [#clear].
public final class Signal implements AutoCloseable {
    private final int fd;

    public Signal() {
        this.fd = Libc.eventfd();
        if (fd < 0) {
            throw Failures.of(Subject.EVENT, "eventfd", fd);
        }
    }

    public int fd() {
        return fd;
    }

    public void raise() {
        try (Arena arena = Arena.ofConfined()) {
            Libc.write(fd, arena.allocateFrom(ValueLayout.JAVA_LONG, 1).address(), Long.BYTES);
        }
    }

    public void clear() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment count = arena.allocate(ValueLayout.JAVA_LONG);
            Libc.read(fd, count.address(), Long.BYTES);
        }
    }

    @Override
    public void close() {
        Libc.close(fd);
    }
}
