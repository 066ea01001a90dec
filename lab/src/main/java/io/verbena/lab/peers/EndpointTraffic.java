package io.verbena.lab.peers;

import io.verbena.endpoint.Connection;
import io.verbena.endpoint.Export;
import io.verbena.endpoint.Message;
import io.verbena.endpoint.Pending;
import io.verbena.endpoint.RemoteMemory;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// What the two sides of an endpoint connection do in the lab, the same as the two roles of
/// `lab/src/main/c/endpoint-peer.c`.
final class EndpointTraffic {
    static final String TABLE = "table";
    static final int TABLE_BYTES = 4096;
    static final String REVOKE = "revoke";

    private static final int[] LENGTHS = {0, 1, 64, 240, 241, 1008, 1009, 4080, 4081, 65_536, 65_537, 1_000_000};
    private static final int CALLS = 300;
    private static final int TABLE_SEED = 5;

    private EndpointTraffic() {}

    /// The bytes that both languages expect.
    private static byte[] pattern(int seed, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (seed * 31 + i * 7 + i / 251);
        }
        return bytes;
    }

    static void fillTable(MemorySegment table) {
        MemorySegment.copy(pattern(TABLE_SEED, TABLE_BYTES), 0, table, ValueLayout.JAVA_BYTE, 0, TABLE_BYTES);
    }

    // ---- the server ----

    /// Echoes until the client ends the connection. Messages that are `!` get no answer, so that credits have to be
    /// returned by themselves; the call `revoke` closes the export.
    static void echo(Connection connection, Export table) {
        for (Message message : connection) {
            if (message.isRequest()) {
                if (message.length() == REVOKE.length() && message.text().equals(REVOKE)) {
                    table.close();
                }
                message.reply(message.memory());
            } else if (message.length() != 1 || !message.text().equals("!")) {
                connection.send(message);
            }
        }
    }

    // ---- the client ----

    /// @throws IllegalStateException when something is not as it should be
    static void check(Connection connection) {
        for (int i = 0; i < LENGTHS.length; i++) {
            byte[] bytes = pattern(i, LENGTHS[i]);
            connection.send(bytes);
            try (Message echo = connection.receive()) {
                requireSame("the echo", bytes, echo.bytes());
            }
        }
        checkCalls(connection);
        checkTable(connection);
    }

    /// Calls over all connections at once.
    static void checkTogether(List<Connection> connections) {
        List<Pending> calls = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            calls.add(connections.get(i % connections.size()).callAsync(pattern(i, i)));
        }
        requireAnswers(calls);
    }

    private static void requireAnswers(List<Pending> calls) {
        for (int i = 0; i < calls.size(); i++) {
            calls.get(i).await();
            try (Message reply = calls.get(i).reply()) {
                requireSame("the answer to call " + i, pattern(i, i), reply.bytes());
            }
        }
    }

    private static void checkCalls(Connection connection) {
        checkTogether(List.of(connection));
        byte[] bytes = pattern(1, 50_000);
        try (Message reply = connection.call(MemorySegment.ofArray(bytes), EndpointPeer.LONG)) {
            requireSame("the answer to a long call", bytes, reply.bytes());
        }
    }

    private static void checkTable(Connection connection) {
        requireRefused(Errno.ENOENT, () -> connection.remote("nothing"));
        RemoteMemory remote = connection.remote(TABLE);
        requireSame("the table", pattern(TABLE_SEED, TABLE_BYTES), read(remote, 0, TABLE_BYTES));
        byte[] bytes = pattern(9, 1000);
        remote.write(3000, MemorySegment.ofArray(bytes));
        requireSame("what was written", bytes, read(remote, 3000, 1000));
        long before = MemorySegment.ofArray(pattern(TABLE_SEED, 16)).get(ValueLayout.JAVA_LONG_UNALIGNED, 8);
        require(remote.fetchAdd(8, 5) == before, "fetchAdd did not return what was there");
        require(remote.compareAndSwap(8, before + 5, 7) == before + 5, "what was added is not there");
        require(remote.fetchAdd(8, 0) == 7, "what was swapped is not there");
    }

    /// The server is one of [#echo].
    static void checkRevocation(Connection connection) {
        RemoteMemory remote = connection.remote(TABLE);
        connection.call(REVOKE).close();
        requireRefused(Errno.EACCES, () -> read(remote, 0, 1));
    }

    private static byte[] read(RemoteMemory from, long offset, int length) {
        byte[] bytes = new byte[length];
        from.read(offset, MemorySegment.ofArray(bytes));
        return bytes;
    }

    private static void requireRefused(Errno errno, Runnable call) {
        try {
            call.run();
        } catch (RdmaException e) {
            require(e.errno() == errno, "refused with " + e.errno() + " and not " + errno + ": " + e.getMessage());
            return;
        }
        throw new IllegalStateException("not refused with " + errno);
    }

    private static void requireSame(String what, byte[] expected, byte[] actual) {
        require(
                Arrays.equals(expected, actual),
                "%s has %d bytes, expected are %d; they differ from byte %d on"
                        .formatted(what, actual.length, expected.length, Arrays.mismatch(expected, actual)));
    }

    private static void require(boolean condition, String problem) {
        if (!condition) {
            throw new IllegalStateException(problem);
        }
    }
}
