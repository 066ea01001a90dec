package io.verbena.rdmacore.cm;

import io.verbena.rdmacore.layout.RdmaCmJoinMcAttrEx;
import io.verbena.rdmacore.layout.RdmaConnParam;
import io.verbena.rdmacore.layout.SocketAddress;
import io.verbena.rdmacore.lib.Failures;
import io.verbena.rdmacore.lib.Failures.Subject;
import io.verbena.rdmacore.lib.Memory;
import io.verbena.verbs.cm.ConnectionOption;
import io.verbena.verbs.cm.ConnectionParameters;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.time.Duration;

/// Calls of librdmacm with Java values.
final class IdCalls {
    private static final int OPTION_LEVEL_ID = 0;

    private IdCalls() {}

    static void check(String verb, int result) {
        check(verb, result, "");
    }

    static void check(String verb, int result, String detail) {
        if (result < 0) {
            throw Failures.of(Subject.CONNECTION, verb, result, detail);
        }
    }

    static long create(long channel, int portSpace) {
        try (Arena arena = Arena.ofConfined()) {
            long result = arena.allocate(Long.BYTES, Long.BYTES).address();
            check("rdma_create_id", Rdmacm.LIB.createId(channel, result, 0, portSpace));
            return Memory.getLong(result);
        }
    }

    static void setOption(long id, ConnectionOption option, LibraryOption row, int value) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(ValueLayout.JAVA_INT);
            if (row.bytes() == 1) {
                memory.set(ValueLayout.JAVA_BYTE, 0, (byte) value);
            } else {
                memory.set(ValueLayout.JAVA_INT, 0, value);
            }
            check(
                    "rdma_set_option",
                    Rdmacm.LIB.setOption(id, OPTION_LEVEL_ID, row.number(), memory.address(), row.bytes()),
                    option + " = " + value);
        }
    }

    static void bind(long id, InetSocketAddress local) {
        String verb = "rdma_bind_addr";
        try (Arena arena = Arena.ofConfined()) {
            check(verb, Rdmacm.LIB.bindAddress(id, address(arena, verb, local)), local.toString());
        }
    }

    /// 0, or the error number, negated.
    static int resolveAddress(long id, InetSocketAddress peer, Duration timeout) {
        try (Arena arena = Arena.ofConfined()) {
            long to = address(arena, "rdma_resolve_addr", peer);
            return Rdmacm.LIB.resolveAddress(id, 0, to, milliseconds(timeout));
        }
    }

    /// 0, or the error number, negated.
    static int resolveRoute(long id, Duration timeout) {
        return Rdmacm.LIB.resolveRoute(id, milliseconds(timeout));
    }

    /// The kernel takes a whole number of milliseconds, at least one.
    static int milliseconds(Duration timeout) {
        if (timeout.compareTo(Duration.ofMillis(Integer.MAX_VALUE)) >= 0) {
            return Integer.MAX_VALUE;
        }
        return (int) Math.max(1, timeout.plusNanos(999_999).toMillis());
    }

    static int connect(long id, ConnectionParameters parameters) {
        try (Arena arena = Arena.ofConfined()) {
            return Rdmacm.LIB.connect(id, parameters(arena, parameters));
        }
    }

    static int accept(long id, ConnectionParameters parameters) {
        try (Arena arena = Arena.ofConfined()) {
            return Rdmacm.LIB.accept(id, parameters(arena, parameters));
        }
    }

    static int reject(long id, byte[] data) {
        try (Arena arena = Arena.ofConfined()) {
            return Rdmacm.LIB.reject(id, data.length == 0 ? 0 : bytes(arena, data), data.length);
        }
    }

    static void joinMulticast(long id, InetSocketAddress group, boolean sendOnly, long number) {
        String verb = "rdma_join_multicast";
        try (Arena arena = Arena.ofConfined()) {
            long attributes =
                    arena.allocate(RdmaCmJoinMcAttrEx.SIZE, Long.BYTES).address();
            RdmaCmJoinMcAttrEx.put(attributes, address(arena, verb, group), sendOnly);
            check(verb, Rdmacm.LIB.joinMulticast(id, attributes, number), group.toString());
        }
    }

    static void leaveMulticast(long id, InetSocketAddress group) {
        String verb = "rdma_leave_multicast";
        try (Arena arena = Arena.ofConfined()) {
            check(verb, Rdmacm.LIB.leaveMulticast(id, address(arena, verb, group)), group.toString());
        }
    }

    private static long address(Arena arena, String verb, InetSocketAddress address) {
        long memory = arena.allocate(SocketAddress.SIZE, Long.BYTES).address();
        SocketAddress.put(verb, memory, address);
        return memory;
    }

    private static long parameters(Arena arena, ConnectionParameters parameters) {
        byte[] data = parameters.privateData();
        long memory = arena.allocate(RdmaConnParam.SIZE, Long.BYTES).address();
        RdmaConnParam.put(memory, parameters, data.length == 0 ? 0 : bytes(arena, data), data.length);
        return memory;
    }

    private static long bytes(Arena arena, byte[] data) {
        return arena.allocateFrom(ValueLayout.JAVA_BYTE, data).address();
    }
}
