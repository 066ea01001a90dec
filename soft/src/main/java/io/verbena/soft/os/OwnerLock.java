package io.verbena.soft.os;

import static io.verbena.soft.os.CLibrary.call;
import static io.verbena.soft.os.CLibrary.variadicFunction;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// Locks on the bytes of a file that processes share, which the kernel releases when their holder ends, however it ends
/// ("open file description locks"). Two objects in one process exclude each other as two processes do.
public final class OwnerLock implements AutoCloseable {
    private static final int F_OFD_SETLK = 37;
    private static final short F_WRLCK = 1;
    private static final short F_UNLCK = 2;
    private static final int FLOCK_BYTES = 32;
    private static final int START_AT = 8;
    private static final int LENGTH_AT = 16;

    private static final MethodHandle FCNTL = variadicFunction("fcntl", JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS);

    private final int fd;

    /// @param sharedFd a descriptor of the file, which may have come from another process
    public OwnerLock(int sharedFd) {
        // Descriptors that were handed over are one description, and share its locks. So this opens another one.
        fd = Errors.require(
                "open lock file", "open", DescriptorCalls.open("/proc/self/fd/" + sharedFd, DescriptorCalls.O_RDWR));
    }

    /// Takes the lock on one byte, unless another holder has it. Taking it again changes nothing.
    public boolean tryLock(int position) {
        int result = change(F_WRLCK, position);
        if (result < 0 && result != -Errors.EAGAIN && result != -Errors.EACCES) {
            throw Errors.make("lock shared memory", "fcntl", -result);
        }
        return result == 0;
    }

    public void unlock(int position) {
        change(F_UNLCK, position);
    }

    private int change(short type, int position) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment flock = arena.allocate(FLOCK_BYTES, Long.BYTES);
            flock.set(JAVA_SHORT, 0, type);
            flock.set(JAVA_LONG, START_AT, position);
            flock.set(JAVA_LONG, LENGTH_AT, 1);
            return call(state -> (int) FCNTL.invokeExact(state, fd, F_OFD_SETLK, flock));
        }
    }

    /// Releases all locks that were taken by this object.
    @Override
    public void close() {
        DescriptorCalls.close(fd);
    }
}
