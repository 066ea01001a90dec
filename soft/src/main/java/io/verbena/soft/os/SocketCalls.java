package io.verbena.soft.os;

import static io.verbena.soft.os.CLibrary.function;
import static io.verbena.soft.os.CLibrary.result;
import static io.verbena.soft.os.CLibrary.unexpected;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;

/// The system calls that give a Unix socket an abstract name, one without a file. A failed call returns its error
/// number, negated, as inside the kernel.
///
/// Loading this class fails with a [LinkageError] where native access is denied or a function is missing.
final class SocketCalls {
    private static final int AF_UNIX = 1;
    private static final int SOCK_DGRAM = 2;
    private static final int SOCK_CLOEXEC = 0x80000;
    private static final int FAMILY_BYTES = 2;

    private static final MethodHandle SOCKET = function("socket", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle BIND = function("bind", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);

    private SocketCalls() {}

    /// A socket that no child process inherits.
    static int unixSocket() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = DescriptorCalls.state(arena);
            return result(state, (int) SOCKET.invokeExact(state, AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /// Abstract names begin with a zero, and end where the address ends.
    static int bindAbstract(int fd, String name) {
        byte[] text = name.getBytes(StandardCharsets.ISO_8859_1);
        int bytes = FAMILY_BYTES + 1 + text.length;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = DescriptorCalls.state(arena);
            MemorySegment address = arena.allocate(bytes, FAMILY_BYTES);
            address.set(JAVA_SHORT, 0, (short) AF_UNIX);
            MemorySegment.copy(text, 0, address, JAVA_BYTE, FAMILY_BYTES + 1, text.length);
            return result(state, (int) BIND.invokeExact(state, fd, address, bytes));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }
}
