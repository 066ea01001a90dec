package io.verbena.conformance.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;

/// A call that waits on a thread of its own.
public final class BlockedCall {
    private final String what;
    private final Thread thread;
    private volatile Throwable thrown;

    private BlockedCall(String what, Runnable call) {
        this.what = what;
        this.thread = Thread.ofPlatform().daemon().name("blocked in " + what).unstarted(() -> {
            try {
                call.run();
            } catch (Throwable t) {
                thrown = t;
            }
        });
    }

    /// Starts the call and returns when its thread waits, in Java or in the kernel, or is done. A thread that waits in
    /// a system call looks runnable, so the thread may not wait yet: callers must be correct either way.
    public static BlockedCall in(String what, Runnable call) {
        BlockedCall blocked = new BlockedCall(what, call);
        blocked.thread.start();
        int[] looks = {0};
        Deadline.await(what + " waits", () -> switch (blocked.thread.getState()) {
            case WAITING, TIMED_WAITING, TERMINATED -> true;
            default -> ++looks[0] > 5000;
        });
        return blocked;
    }

    public void interrupt() {
        thread.interrupt();
    }

    private void join() {
        Deadline.await(what + " returns", () -> !thread.isAlive());
    }

    /// Fails unless the call was ended with that number.
    public void expectErrno(Errno errno) {
        join();
        RdmaException e = assertInstanceOf(RdmaException.class, thrown, what + " was to throw " + errno);
        assertEquals(errno, e.errno(), e.getMessage());
    }

    /// Fails unless the call returned normally.
    public void expectReturn() {
        join();
        assertNull(thrown, () -> what + " was to return, but threw " + thrown);
    }
}
