package io.verbena.rdmacore.event;

import io.verbena.rdmacore.lib.Failures;
import io.verbena.rdmacore.lib.Libc;
import io.verbena.rdmacore.lib.PollFds;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/// One thread that waits for one of several [Waitable]s.
final class Wait {
    /// A thread that sleeps in a system call does not notice an interrupt; it looks this often.
    private static final int LONGEST_DEAF_MS = 50;

    /// A virtual thread must not keep its carrier in a system call: it looks, and parks that long.
    private static final long VIRTUAL_PAUSE_NS = 500_000;

    private static final long NS_PER_MS = 1_000_000;

    private Wait() {}

    /// How many are ready; 0 when the time is over. Which ones to wait for is asked again and again: it may change.
    static int until(String verb, Supplier<List<Waitable>> members, long timeoutNs) {
        long startNs = NanoClock.nowNs();
        boolean isVirtual = Thread.currentThread().isVirtual();
        while (true) {
            long leftNs = timeoutNs - (NanoClock.nowNs() - startNs);
            int ready = poll(verb, members.get(), isVirtual ? 0 : milliseconds(leftNs));
            if (ready > 0 || leftNs <= 0) {
                return ready;
            }
            if (Thread.interrupted()) {
                throw new RdmaException(verb, Errno.EINTR, "the waiting thread was interrupted");
            }
            if (isVirtual) {
                LockSupport.parkNanos(Math.min(leftNs, VIRTUAL_PAUSE_NS));
            }
        }
    }

    /// Whether one is ready; false once it is closed.
    static boolean look(Waitable member) {
        if (!member.enter()) {
            return false;
        }
        try (Arena arena = Arena.ofConfined()) {
            long fds = arena.allocate(PollFds.SIZE, Long.BYTES).address();
            PollFds.set(fds, 0, member.fd());
            return Libc.poll(fds, 1, 0) > 0;
        } finally {
            member.leave();
        }
    }

    private static int milliseconds(long leftNs) {
        return leftNs <= 0 ? 0 : (int) Math.min(LONGEST_DEAF_MS, (leftNs + NS_PER_MS - 1) / NS_PER_MS);
    }

    private static int poll(String verb, List<Waitable> members, int timeoutMs) {
        List<Waitable> entered = new ArrayList<>(members.size());
        try {
            for (Waitable member : members) {
                if (!member.enter()) {
                    throw closed(verb);
                }
                entered.add(member);
            }
            return pollEntered(verb, entered, timeoutMs);
        } finally {
            entered.forEach(Waitable::leave);
        }
    }

    /// Each member has two entries: its descriptor and the one that tells of its end.
    private static int pollEntered(String verb, List<Waitable> members, int timeoutMs) {
        int entries = 2 * members.size();
        try (Arena arena = Arena.ofConfined()) {
            long fds = arena.allocate((long) entries * PollFds.SIZE, Long.BYTES).address();
            for (int i = 0; i < members.size(); i++) {
                PollFds.set(fds, 2 * i, members.get(i).fd());
                PollFds.set(fds, 2 * i + 1, members.get(i).wake());
            }
            int returned = Libc.poll(fds, entries, timeoutMs);
            if (returned < 0 && returned != -Libc.EINTR) {
                throw Failures.of(Failures.Subject.EVENT, verb, returned);
            }
            int ready = 0;
            for (int i = 0; returned > 0 && i < members.size(); i++) {
                if (PollFds.isReady(fds, 2 * i + 1)) {
                    throw closed(verb);
                }
                ready += PollFds.isReady(fds, 2 * i) ? 1 : 0;
            }
            return ready;
        }
    }

    private static RdmaException closed(String verb) {
        return new RdmaException(verb, Errno.EBADF, "closed while waiting, or before");
    }
}
