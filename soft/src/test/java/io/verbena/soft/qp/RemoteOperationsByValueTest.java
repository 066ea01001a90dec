package io.verbena.soft.qp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.verbena.roce.header.Feth;
import io.verbena.soft.device.SoftContext;
import io.verbena.soft.mem.MemoryUser;
import io.verbena.soft.rig.ScriptedPeer;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.Operation;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Remote operations without packets, and keys that change between the check and the execution.
class RemoteOperationsByValueTest {
    private static final Access[] ALL = {
        Access.LOCAL_WRITE,
        Access.REMOTE_READ,
        Access.REMOTE_WRITE,
        Access.REMOTE_ATOMIC,
        Access.FLUSH_GLOBAL,
        Access.MEMORY_WINDOW_BIND
    };

    private final ScriptedPeer peer = new ScriptedPeer();
    private final RemoteOperations operations =
            new RemoteOperations(((SoftContext) peer.context).engines().first().memory(), (MemoryUser) peer.qp);
    private final MemoryRegion region = peer.pd.allocate(64, ALL);
    private final MemorySegment payload = MemorySegment.ofArray(new long[] {0, 77});
    private final int rkey = region.rkey();
    private final long address = region.address();

    @AfterEach
    void close() {
        peer.close();
    }

    private RemoteRequest request(long at, long length) {
        RemoteRequest request = new RemoteRequest();
        request.rkey = rkey;
        request.address = at;
        request.length = length;
        request.operand = 5;
        request.swap = 9;
        request.flushTypes = Feth.GLOBAL_VISIBILITY;
        request.selectivity = Feth.RANGE;
        return request;
    }

    private Verdict check(Operation operation, long at, long length) {
        return operations.check(operation, request(at, length));
    }

    private Verdict execute(Operation operation, long at) {
        return operations.execute(operation, request(at, 8), payload, Long.BYTES);
    }

    private long word() {
        return region.memory().get(ValueLayout.JAVA_LONG, 8);
    }

    @Test
    void shouldCarryOutWhatItIsTold() {
        region.memory().set(ValueLayout.JAVA_LONG, 8, 5);
        assertEquals(Verdict.OK, execute(Operation.COMPARE_AND_SWAP, address + 8));
        assertEquals(5, operations.original());
        assertEquals(9, word());
        assertEquals(Verdict.OK, execute(Operation.FETCH_AND_ADD, address + 8));
        assertEquals(9, operations.original());
        assertEquals(14, word());
        assertEquals(Verdict.OK, execute(Operation.ATOMIC_WRITE, address + 8));
        assertEquals(77, word());
        assertEquals(Verdict.OK, execute(Operation.FLUSH, address + 8));
        assertEquals(0, operations.original());
    }

    @ParameterizedTest
    @CsvSource({
        "RDMA_READ, 0, 64, OK",
        "RDMA_READ, 1, 64, REMOTE_ACCESS",
        "RDMA_READ, 1000, 0, OK",
        "FLUSH, 0, 64, OK",
        "FLUSH, 0, 65, REMOTE_ACCESS",
        "FETCH_AND_ADD, 56, 8, OK",
        "FETCH_AND_ADD, 56, 4, INVALID_REQUEST",
        "COMPARE_AND_SWAP, 4, 8, INVALID_REQUEST",
        "COMPARE_AND_SWAP, 64, 8, REMOTE_ACCESS",
        "ATOMIC_WRITE, 0, 16, INVALID_REQUEST",
        "ATOMIC_WRITE, 0, 8, OK"
    })
    void shouldCheckRangeLengthAndAlignment(Operation operation, long offset, long length, Verdict expected) {
        assertEquals(expected, check(operation, address + offset, length));
    }

    @ParameterizedTest
    @EnumSource(
            value = Operation.class,
            names = {"COMPARE_AND_SWAP", "FETCH_AND_ADD", "ATOMIC_WRITE", "FLUSH"})
    void shouldDoNothingUnderAKeyThatWentAwayAfterTheCheck(Operation operation) {
        assertEquals(Verdict.OK, check(operation, address, 8));
        region.close();
        assertEquals(Verdict.REMOTE_ACCESS, execute(operation, address));
    }

    @ParameterizedTest
    @EnumSource(
            value = Operation.class,
            names = {"COMPARE_AND_SWAP", "FETCH_AND_ADD", "ATOMIC_WRITE", "FLUSH"})
    void shouldDoNothingUnderAKeyThatAllowsLessThanWhenItWasChecked(Operation operation) {
        region.memory().set(ValueLayout.JAVA_LONG, 8, 5);
        assertEquals(Verdict.OK, check(operation, address + 8, 8));
        region.reregister(null, null, Set.of(Access.LOCAL_WRITE, Access.REMOTE_READ));
        assertEquals(rkey, region.rkey());
        assertEquals(Verdict.REMOTE_ACCESS, execute(operation, address + 8));
        assertEquals(5, word());
    }
}
