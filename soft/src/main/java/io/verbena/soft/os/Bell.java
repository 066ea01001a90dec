package io.verbena.soft.os;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Wakes a thread of another process that sleeps in `poll` or `epoll`, and tells whether that process lives: a pipe
/// without a name, in which each byte is a ring.
///
/// Only the process that made the bell can read from it, so the pipe breaks when that process ends, even when it is
/// killed. The Java virtual machine ignores `SIGPIPE`: ringing a broken bell does nothing.
///
/// All methods may be called by any thread.
public final class Bell implements Doorbell, AutoCloseable {
    private static final int NONE = -1;
    private static final int DRAIN_BYTES = 4096;

    /// Twice what a pipe holds; more than that comes from a peer that never stops ringing.
    private static final int DRAINS = 32;

    /// What is written has no meaning and what is read is never looked at, so all bells share this memory.
    private static final MemorySegment BYTES = Arena.global().allocate(DRAIN_BYTES);

    private static final int POLL_BYTES = 8;

    private final int readEnd;
    private final int writeEnd;
    private final UseGate gate;

    /// One element of `poll`, with the write end and no event: `poll` still tells of a broken pipe.
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
        int result = DescriptorCalls.pipe(ends);
        if (result < 0) {
            throw Errors.make("create bell", "pipe2", -result);
        }
        return new Bell(ends[0], ends[1]);
    }

    /// A bell that another process, or this one, has created, to ring it. Nothing in a pipe tells whether it is the
    /// bell that was meant: make sure first that the process is the right one, as [SealedMemory#open] does.
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

    /// The end to sleep on; -1 when the bell was opened. It is readable from a ring on until it is silenced, and valid
    /// between [#hold] and [#release].
    @Override
    public int fd() {
        return readEnd;
    }

    /// The number by which neighbours open the bell.
    public int ringFd() {
        return writeEnd;
    }

    @Override
    public boolean hold() {
        return gate.enter();
    }

    @Override
    public void release() {
        gate.leave();
    }

    /// Never waits and never fails: a pipe without room rings already, and a broken one wakes nobody.
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
    @Override
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

    /// Whether ringing can wake anybody: false once this bell is closed, and once the process that made it has closed
    /// it or ended.
    public boolean isAlive() {
        if (!gate.enter()) {
            return false;
        }
        try {
            // The count alone tells, so that threads need not have an element each. An error tells nothing.
            return isMine() || DescriptorCalls.poll(broken, 1) <= 0;
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
