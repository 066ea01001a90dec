package io.verbena.soft.os;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// An unnamed pipe that wakes a thread of another process from `poll` or `epoll`, and tells whether that process still
/// exists. Each byte in the pipe is one ring.
///
/// Only the process that made the bell can read from it, so the pipe breaks when that process ends, even when it is
/// killed. The Java virtual machine ignores `SIGPIPE`: ringing a broken bell does nothing.
///
/// All methods may be called by any thread.
public final class Bell implements AutoCloseable {
    private static final int NONE = -1;
    private static final int DRAIN_BYTES = 4096;

    /// Twice the capacity of a pipe. More bytes come only from a peer that never stops ringing.
    private static final int DRAINS = 32;

    /// The bytes have no meaning, so all bells share this memory.
    private static final MemorySegment BYTES = Arena.global().allocate(DRAIN_BYTES);

    private static final int POLL_BYTES = 8;
    private static final MemorySegment NO_TIME = Arena.global().allocate(2 * Long.BYTES, Long.BYTES);

    private final int readEnd;
    private final int writeEnd;
    private final UseGate gate;

    /// A `struct pollfd` with the write end and no event: `poll` still reports a broken pipe.
    private final MemorySegment broken = Arena.ofAuto().allocate(POLL_BYTES, POLL_BYTES);

    private Bell(int readEnd, int writeEnd) {
        this.readEnd = readEnd;
        this.writeEnd = writeEnd;
        broken.set(JAVA_INT, 0, writeEnd);
        gate = new UseGate(this::closeEnds);
    }

    /// A bell for threads of this process to sleep on.
    public static Bell create() {
        int[] ends = new int[2];
        Errors.require("create bell", "pipe2", DescriptorCalls.pipe(ends));
        return new Bell(ends[0], ends[1]);
    }

    /// Opens a bell of another process, or of this one, in order to ring it. A pipe does not show whether it is the
    /// right one, so check first that the process is, as [SealedMemory#open] does.
    ///
    /// @param ringFd its descriptor in that process, see [#ringFd]
    /// @throws RdmaException `ENOENT` when the process or the descriptor is gone, `EACCES` when the system does not
    ///     permit it, `EINVAL` when something else than a pipe is there
    public static Bell open(long pid, int ringFd) {
        int flags = DescriptorCalls.O_WRONLY | DescriptorCalls.O_NONBLOCK;
        String verb = "open bell of process " + pid;
        return new Bell(
                NONE, NeighbourDescriptor.open(verb, pid, ringFd, flags, target -> target.startsWith("pipe:[")));
    }

    /// The end to sleep on; -1 when the bell was opened. It is readable after a ring until it is silenced, and valid
    /// between [#hold] and [#release].
    public int fd() {
        return readEnd;
    }

    /// The number by which neighbours open the bell.
    public int ringFd() {
        return writeEnd;
    }

    /// Keeps the descriptor open until [#release]. False once the bell is closed; then there is nothing to release.
    public boolean hold() {
        return gate.enter();
    }

    public void release() {
        gate.leave();
    }

    /// Rings the bell. Never waits and never fails: a full pipe rings already, and a broken pipe has no reader.
    public void ring() {
        if (gate.enter()) {
            try {
                DescriptorCalls.write(writeEnd, BYTES.address(), 1);
            } finally {
                gate.leave();
            }
        }
    }

    /// Forgets all rings so far; does nothing when the bell was opened.
    public void silence() {
        if (isMine() && gate.enter()) {
            try {
                int read = DRAIN_BYTES;
                for (int i = 0; i < DRAINS && read == DRAIN_BYTES; i++) {
                    read = DescriptorCalls.read(readEnd, BYTES.address(), DRAIN_BYTES);
                }
            } finally {
                gate.leave();
            }
        }
    }

    /// Whether a ring can wake a thread: false once this bell is closed, and once the process that created it has
    /// closed it or ended.
    public boolean isAlive() {
        if (!gate.enter()) {
            return false;
        }
        try {
            // Only the result of poll is used, so that threads can share the element. An error means nothing.
            return isMine() || DescriptorCalls.poll(broken.address(), 1, NO_TIME.address()) <= 0;
        } finally {
            gate.leave();
        }
    }

    /// Wakes the threads that sleep on it when it was created here. May be called twice.
    @Override
    public void close() {
        if (gate.enter()) {
            gate.close();
            if (isMine()) {
                DescriptorCalls.write(writeEnd, BYTES.address(), 1);
            }
            gate.leave();
        }
    }

    @Override
    public String toString() {
        return isMine() ? "bell " + writeEnd : "bell of another process";
    }

    private boolean isMine() {
        return readEnd != NONE;
    }

    private void closeEnds() {
        if (isMine()) {
            DescriptorCalls.close(readEnd);
        }
        DescriptorCalls.close(writeEnd);
    }
}
