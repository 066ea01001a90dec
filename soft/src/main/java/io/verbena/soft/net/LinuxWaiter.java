package io.verbena.soft.net;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.verbena.soft.os.Bell;
import io.verbena.soft.os.DescriptorCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.util.concurrent.atomic.AtomicBoolean;

/// Lets one thread sleep until the socket is ready, or until another thread wakes it through an eventfd.
final class LinuxWaiter {
    private static final int EVENTFD_NONBLOCK_CLOEXEC = 0x800 | 0x80000;
    private static final short POLLIN = 1;
    private static final short POLLIN_AND_OUT = 1 | 4;
    private static final short POLLNVAL = 32;
    private static final int POLL_BYTES = 8;
    private static final int POLLS = 5;
    private static final int GROUPS_AT = 2 * POLL_BYTES;
    private static final int BELL_AT = 3 * POLL_BYTES;
    private static final int WATCHED_AT = 4 * POLL_BYTES;

    /// A descriptor that `poll` passes over.
    private static final int NONE = -1;

    private static final int EVENTS_AT = 4;
    private static final int RETURNED_AT = 6;
    private static final long NS_PER_SECOND = 1_000_000_000L;

    private final Arena arena = Arena.ofAuto();
    private final MemorySegment polls = arena.allocate(POLLS * POLL_BYTES, POLL_BYTES);
    private final MemorySegment timeout = arena.allocate(JAVA_LONG, 2);
    private final MemorySegment drained = arena.allocate(JAVA_LONG);
    private final MemorySegment one = arena.allocateFrom(JAVA_LONG, 1);

    /// Whether the eventfd is set, so that many wakeups cost one system call.
    private final AtomicBoolean signalled = new AtomicBoolean();

    private final int eventFd;
    private volatile int groupsFd = NONE;
    private volatile Bell bell;
    private volatile WatchedBells watched;

    LinuxWaiter(InetAddress local, int socketFd) {
        eventFd = LinuxWireCalls.eventfd(EVENTFD_NONBLOCK_CLOEXEC);
        if (eventFd < 0) {
            throw OpenFailure.call(local, "eventfd", -eventFd);
        }
        polls.set(JAVA_INT, 0, socketFd);
        polls.set(JAVA_INT, POLL_BYTES, eventFd);
        polls.set(JAVA_SHORT, POLL_BYTES + EVENTS_AT, POLLIN);
        polls.set(JAVA_SHORT, GROUPS_AT + EVENTS_AT, POLLIN);
        polls.set(JAVA_SHORT, BELL_AT + EVENTS_AT, POLLIN);
        polls.set(JAVA_SHORT, WATCHED_AT + EVENTS_AT, POLLIN);
    }

    /// From the next call on, [#await] also waits for this descriptor.
    void alsoWaitFor(int fd) {
        groupsFd = fd;
        wakeup();
    }

    /// From the next call on, [#await] also waits for this bell.
    void listenTo(Bell newBell) {
        bell = newBell;
        wakeup();
    }

    /// From the next call on, [#await] also waits until one of these bells is broken.
    void watch(WatchedBells bells) {
        watched = bells;
        wakeup();
    }

    /// @param room whether to wait for room in the socket, too
    void await(long timeoutNs, boolean room) {
        Bell heard = bell;
        if (heard == null || !heard.hold()) {
            polls.set(JAVA_INT, BELL_AT, NONE);
            sleep(timeoutNs, room);
            return;
        }
        try {
            polls.set(JAVA_INT, BELL_AT, heard.fd());
            if (sleep(timeoutNs, room) > 0 && polls.get(JAVA_SHORT, BELL_AT + RETURNED_AT) != 0) {
                heard.silence();
            }
        } finally {
            heard.release();
        }
    }

    /// How many descriptors are ready.
    private int sleep(long timeoutNs, boolean room) {
        long waitNs = Math.max(0, timeoutNs);
        timeout.setAtIndex(JAVA_LONG, 0, waitNs / NS_PER_SECOND);
        timeout.setAtIndex(JAVA_LONG, 1, waitNs % NS_PER_SECOND);
        polls.set(JAVA_SHORT, EVENTS_AT, room ? POLLIN_AND_OUT : POLLIN);
        polls.set(JAVA_INT, GROUPS_AT, groupsFd);
        WatchedBells bells = watched;
        polls.set(JAVA_INT, WATCHED_AT, bells == null ? NONE : bells.fd());
        int ready = DescriptorCalls.poll(polls.address(), POLLS, timeout.address());
        if (ready > 0 && (polls.get(JAVA_SHORT, RETURNED_AT) & POLLNVAL) != 0) {
            // Otherwise each call would return at once.
            throw new IllegalStateException("the UDP socket is gone: its descriptor is not open");
        }
        if (ready > 0 && polls.get(JAVA_SHORT, POLL_BYTES + RETURNED_AT) != 0) {
            // In this order: a wakeup between the two statements needs no signal, because this call returns anyway.
            DescriptorCalls.read(eventFd, drained.address(), Long.BYTES);
            signalled.set(false);
        }
        if (ready > 0 && polls.get(JAVA_SHORT, WATCHED_AT + RETURNED_AT) != 0) {
            bells.onBroken();
        }
        return ready;
    }

    void wakeup() {
        if (!signalled.getAndSet(true)) {
            // Adding to an eventfd cannot fail in a way that matters.
            DescriptorCalls.write(eventFd, one.address(), Long.BYTES);
        }
    }

    void close() {
        DescriptorCalls.close(eventFd);
    }
}
