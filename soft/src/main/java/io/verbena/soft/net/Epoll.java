package io.verbena.soft.net;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.verbena.soft.os.DescriptorCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;

/// An epoll instance: finds those of many descriptors that are ready, in one call. The system takes a descriptor out
/// that is closed. One thread at a time adds, and one takes.
final class Epoll {
    static final int IN = 1;

    /// An error, which is always reported, is reported once.
    static final int ERROR_ONCE = 1 << 30;

    private static final int CLOEXEC = 0x80000;
    private static final int ADD = 1;
    private static final int EVENTS = 8;

    /// `struct epoll_event` is packed on x86 only.
    private static final boolean PACKED = !"aarch64".equals(System.getProperty("os.arch"));

    private static final int EVENT_BYTES = PACKED ? 12 : 16;
    private static final int DATA_AT = PACKED ? 4 : 8;

    private final MemorySegment added = Arena.ofAuto().allocate(EVENT_BYTES, Long.BYTES);
    private final MemorySegment events = Arena.ofAuto().allocate((long) EVENTS * EVENT_BYTES, Long.BYTES);
    private final int fd;

    Epoll(InetAddress local) {
        fd = LinuxWireCalls.epollCreate(CLOEXEC);
        if (fd < 0) {
            throw OpenFailure.call(local, "epoll_create1", -fd);
        }
    }

    /// Readable while a descriptor is ready.
    int fd() {
        return fd;
    }

    /// 0, or a negated error number.
    int add(int descriptor, int wanted) {
        added.set(JAVA_INT, 0, wanted);
        added.set(JAVA_INT, DATA_AT, descriptor);
        return LinuxWireCalls.epollControl(fd, ADD, descriptor, added);
    }

    /// Takes descriptors that are ready, without waiting: how many, or a negative number. [#ready] names them.
    int take() {
        return LinuxWireCalls.epollWait(fd, events.address(), EVENTS, 0);
    }

    int ready(int index) {
        return events.get(JAVA_INT, (long) index * EVENT_BYTES + DATA_AT);
    }

    void close() {
        DescriptorCalls.close(fd);
    }
}
