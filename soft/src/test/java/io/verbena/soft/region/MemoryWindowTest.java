package io.verbena.soft.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.packet.Opcode;
import io.verbena.soft.device.SoftContext;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.fault.FaultPlan;
import io.verbena.soft.mem.AccessCheck;
import io.verbena.soft.mem.MemoryTable;
import io.verbena.soft.mem.MemoryUser;
import io.verbena.soft.rig.GuardedMemory;
import io.verbena.soft.rig.SimulatedPair;
import io.verbena.verbs.BadRequestException;
import io.verbena.verbs.Errno;
import io.verbena.verbs.Keys;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.MemoryWindow;
import io.verbena.verbs.MemoryWindowBind;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.MemoryWindowType;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.attr.QueuePairState;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Windows on the right side's memory, which the left side uses.
class MemoryWindowTest {
    private static final int LENGTH = 4096;
    private static final Access WRITE = Access.REMOTE_WRITE;

    private final SimulatedPair pair = new SimulatedPair(5, 1 << 16).connect(Mtu.MTU_256);
    private final SimulatedPair.Side left = pair.left;
    private final SimulatedPair.Side right = pair.right;
    private final GuardedMemory memory =
            new GuardedMemory(right.pd, LENGTH, Access.LOCAL_WRITE, Access.MEMORY_WINDOW_BIND);
    private final MemoryRegion region = memory.region();
    private int expected;

    @AfterEach
    void close() {
        assertEquals(0, left.counter(Counter.ENGINE_FAULTS) + right.counter(Counter.ENGINE_FAULTS));
        memory.assertGuardsUntouched();
        pair.close();
    }

    private MemoryWindow window(MemoryWindowType type) {
        return right.pd.allocateMemoryWindow(type);
    }

    private SendRequest bind(long wrId, MemoryWindow window, long from, long length, Access... access) {
        return right.request(wrId)
                .bindMemoryWindow(
                        window, Keys.increment(window.rkey()), region, region.address() + from, length, access);
    }

    private CompletionStatus done() {
        pair.expect(right, ++expected);
        return right.completions.get(expected - 1).status();
    }

    /// Binds by call or by request, as the type wants it.
    private int bound(MemoryWindow window, long from, long length, Access... access) {
        if (window.type() == MemoryWindowType.TYPE_1) {
            MemoryWindowBind bind = MemoryWindowBind.of(region, region.address() + from, length, access);
            assertTrue(window.bind(right.qp, 7, bind));
        } else {
            right.post(bind(7, window, from, length, access));
        }
        assertEquals(CompletionStatus.SUCCESS, done());
        return window.rkey();
    }

    private CompletionStatus write(long address, int rkey, int bytes) {
        left.post(left.request(1).write(address, rkey).from(left.memory, 0, bytes));
        pair.expect(left, left.completions.size() + 1);
        return left.completions.getLast().status();
    }

    @ParameterizedTest
    @EnumSource(MemoryWindowType.class)
    void shouldTellANewKeyAsSoonAsABindIsPosted(MemoryWindowType type) {
        MemoryWindow window = window(type);
        int before = window.rkey();
        int after = bound(window, 0, 64, WRITE);
        assertNotEquals(before, after);
        assertEquals(before >>> 8, after >>> 8, "the index of the window stays");
    }

    @ParameterizedTest
    @EnumSource(MemoryWindowType.class)
    void shouldTellTheKeyOfBeforeWhenTheQueuePairIsClosedUnderABind(MemoryWindowType type) {
        MemoryWindow window = window(type);
        int before = window.rkey();
        left.tap.loseEverything();
        right.write(1, 0, 8, 0);
        if (type == MemoryWindowType.TYPE_1) {
            assertTrue(window.bind(right.qp, 7, MemoryWindowBind.of(region, region.address(), 64, WRITE)));
        } else {
            right.post(bind(7, window, 0, 64, WRITE));
        }
        assertNotEquals(before, window.rkey());
        right.qp.close();
        assertEquals(before, window.rkey());
    }

    @Test
    void shouldNotCountTheBuffersThatTheRequestHadBefore() {
        MemoryWindow window = window(MemoryWindowType.TYPE_2);
        SendRequest request = right.request(7).fromInline(MemorySegment.ofArray(new byte[8]));
        request.empty().bindMemoryWindow(window, Keys.increment(window.rkey()), region, region.address(), 64, WRITE);
        right.post(request);
        assertEquals(CompletionStatus.SUCCESS, done());
        right.post(right.request(8).from(right.memory, 0, 8).localInvalidate(window.rkey()));
        assertEquals(CompletionStatus.SUCCESS, done());
        assertEquals(0, right.completions.getLast().byteLength());
    }

    @ParameterizedTest
    @EnumSource(MemoryWindowType.class)
    void shouldOpenNothingBeforeItIsBound(MemoryWindowType type) {
        assertEquals(
                CompletionStatus.REMOTE_ACCESS_ERROR,
                write(region.address(), window(type).rkey(), 1));
        memory.assertUntouched();
    }

    @ParameterizedTest
    @CsvSource({"0, 64, SUCCESS", "63, 1, SUCCESS", "-1, 1, REMOTE_ACCESS_ERROR", "64, 1, REMOTE_ACCESS_ERROR"})
    void shouldOpenItsBytesAndNoOther(int from, int bytes, CompletionStatus status) {
        int rkey = bound(window(MemoryWindowType.TYPE_1), 1000, 64, WRITE);
        assertEquals(status, write(region.address() + 1000 + from, rkey, bytes));
        memory.assertUntouched(0, 1000);
        memory.assertUntouched(1064, LENGTH - 1064);
    }

    @Test
    void shouldGiveNoOtherRightThanItsOwn() {
        int rkey = bound(window(MemoryWindowType.TYPE_1), 0, 64, Access.REMOTE_READ);
        assertEquals(CompletionStatus.REMOTE_ACCESS_ERROR, write(region.address(), rkey, 8));
        memory.assertUntouched();
    }

    @Test
    void shouldNotServeAsAKeyOfOwnRequests() {
        int rkey = bound(window(MemoryWindowType.TYPE_1), 0, 64, WRITE, Access.REMOTE_READ);
        right.post(right.request(2).send().fromAddress(region.address(), 8, rkey));
        assertEquals(CompletionStatus.LOCAL_PROTECTION_ERROR, done());
    }

    @Test
    void shouldCountAddressesOfAZeroBasedWindowFromZero() {
        int rkey = bound(window(MemoryWindowType.TYPE_2), 512, 64, WRITE, Access.ZERO_BASED);
        left.fill(0, 64, 3);
        assertEquals(CompletionStatus.SUCCESS, write(0, rkey, 64));
        assertEquals(List.of(), differences(left.bytes(0, 64), memory.bytes(512, 64)));
        assertEquals(CompletionStatus.REMOTE_ACCESS_ERROR, write(1, rkey, 64));
        memory.assertUntouched(576, LENGTH - 576);
    }

    private static List<Integer> differences(byte[] one, byte[] other) {
        List<Integer> found = new ArrayList<>();
        for (int i = 0; i < one.length; i++) {
            if (one[i] != other[i]) {
                found.add(i);
            }
        }
        return found;
    }

    @Test
    void shouldBindAType2WindowAgainOnlyWhenItWasRevoked() {
        MemoryWindow window = window(MemoryWindowType.TYPE_2);
        int first = bound(window, 0, 64, WRITE);
        right.post(right.request(2).localInvalidate(first));
        assertEquals(CompletionStatus.SUCCESS, done());
        int second = bound(window, 64, 64, WRITE);
        assertEquals(CompletionStatus.SUCCESS, write(region.address() + 64, second, 64));
        right.post(bind(3, window, 0, 64, WRITE));
        assertEquals(CompletionStatus.MEMORY_WINDOW_BIND_ERROR, done());
        assertEquals(QueuePairState.ERR, right.qp.state());
        assertEquals(second, window.rkey(), "the key before, because the bind failed");
    }

    @Test
    void shouldFreeAType2WindowWhenItsQueuePairIsClosed() {
        MemoryWindow window = window(MemoryWindowType.TYPE_2);
        bound(window, 0, 64, WRITE);
        right.qp.close();
        QueuePair next = right.pd.createQueuePair(QueuePairOptions.rc(right.cq));
        next.modify(QueuePairChange.toInit().access(WRITE));
        next.modify(QueuePairChange.toRtr(AddressVector.to(left.address), left.qp.number(), 1));
        next.modify(QueuePairChange.toRts(1));
        assertTrue(next.post(next.newSendRequest()
                .bindMemoryWindow(window, Keys.increment(window.rkey()), region, region.address(), 8, WRITE)
                .signaled()));
        assertEquals(CompletionStatus.SUCCESS, done());
    }

    @Test
    void shouldNotUnbindAType2WindowByBindingItToNothing() {
        right.post(bind(1, window(MemoryWindowType.TYPE_2), 0, 0, WRITE));
        assertEquals(CompletionStatus.MEMORY_WINDOW_BIND_ERROR, done());
    }

    @Test
    void shouldLeaveTheOldBindingWhenTheNextOneFails() {
        MemoryWindow window = window(MemoryWindowType.TYPE_1);
        int rkey = bound(window, 0, 64, WRITE);
        assertTrue(window.bind(right.qp, 2, MemoryWindowBind.of(region, region.address(), Long.MAX_VALUE, WRITE)));
        assertTrue(window.bind(right.qp, 3, MemoryWindowBind.of(region, region.address(), 8, WRITE)));
        assertEquals(CompletionStatus.MEMORY_WINDOW_BIND_ERROR, done());
        assertEquals(CompletionStatus.WORK_REQUEST_FLUSHED, done());
        assertEquals(rkey, window.rkey());
        assertThrows(RdmaException.class, region::close);
    }

    @ParameterizedTest
    @CsvSource({
        "-1, 64",
        "4033, 64",
        "0, 4097",
        "4096, 1",
        "0, 9223372036854775807",
        "-9223372036854775808, 1",
    })
    void shouldRefuseBytesOutsideTheRegion(long from, long length) {
        right.post(bind(1, window(MemoryWindowType.TYPE_2), from, length, WRITE));
        assertEquals(CompletionStatus.MEMORY_WINDOW_BIND_ERROR, done());
        assertEquals(QueuePairState.ERR, right.qp.state());
    }

    @Test
    void shouldNotBindAType1WindowToAZeroBasedRegion() {
        MemoryRegion zero = right.pd.allocate(64, Access.LOCAL_WRITE, Access.MEMORY_WINDOW_BIND, Access.ZERO_BASED);
        assertTrue(window(MemoryWindowType.TYPE_1).bind(right.qp, 1, MemoryWindowBind.of(zero, 0, 64, WRITE)));
        assertEquals(CompletionStatus.MEMORY_WINDOW_BIND_ERROR, done());
    }

    @Test
    void shouldNotRevokeWhatIsNoType2Window() {
        MemoryWindow type1 = window(MemoryWindowType.TYPE_1);
        int rkey = bound(type1, 0, 64, WRITE);
        for (int key : new int[] {rkey, region.lkey(), 0, rkey ^ 1}) {
            MemoryTable table = ((SoftContext) right.context).engines().first().memory();
            assertNotEquals(AccessCheck.OK, table.invalidate((MemoryUser) right.qp, key));
        }
        assertEquals(CompletionStatus.SUCCESS, write(region.address(), rkey, 8));
        right.post(right.request(2).localInvalidate(rkey));
        assertEquals(CompletionStatus.LOCAL_QP_OPERATION_ERROR, done());
        assertEquals(QueuePairState.ERR, right.qp.state());
    }

    @Test
    void shouldRefuseMistakesWhilePosting() {
        MemoryWindow type1 = window(MemoryWindowType.TYPE_1);
        MemoryWindow type2 = window(MemoryWindowType.TYPE_2);
        int before = type2.rkey();
        refuses(bind(1, type1, 0, 8, WRITE), "type 1");
        refuses(bind(1, type2, 0, 8, Access.LOCAL_WRITE), "LOCAL_WRITE");
        refuses(bind(1, type2, 0, -1, WRITE), "-1 bytes");
        refuses(
                right.request(1).bindMemoryWindow(type2, before ^ 0x100, region, region.address(), 8, WRITE),
                "low 8 bits");
        MemoryRegion foreign = right.context.allocateProtectionDomain().allocate(64, Access.MEMORY_WINDOW_BIND);
        refuses(
                right.request(1).bindMemoryWindow(type2, before, foreign, foreign.address(), 8, Access.REMOTE_READ),
                "different protection domains");
        refuses(
                right.request(1).bindMemoryWindow(type2, before, left.memory, left.memory.address(), 8, WRITE),
                "different protection domains");
        type2.close();
        refuses(bind(1, type2, 0, 8, WRITE), "closed");
        assertEquals(before, type2.rkey());
        assertEquals(QueuePairState.RTS, right.qp.state());
    }

    private void refuses(SendRequest request, String why) {
        BadRequestException refused = assertThrows(BadRequestException.class, () -> right.qp.post(request));
        assertTrue(refused.getMessage().contains(why), refused::getMessage);
    }

    @Test
    void shouldKeepTheKeyWhenTheQueueIsFull() {
        MemoryWindow window = window(MemoryWindowType.TYPE_1);
        pair.faultsFrom(right, FaultPlan.none().withLoss(1));
        SendRequest write = right.request(1).write(left.memory.remote()).from(right.memory, 0, 8);
        while (right.qp.post(write)) {
            assertTrue(right.completions.isEmpty());
        }
        int before = window.rkey();
        assertFalse(window.bind(right.qp, 2, MemoryWindowBind.of(region, region.address(), 8, WRITE)));
        assertEquals(before, window.rkey());
    }

    @Test
    void shouldCarryOutLocalRequestsInTheirTurnWhatEverIsLost() {
        MemoryWindow window = window(MemoryWindowType.TYPE_2);
        right.tap.lose(1, Opcode.RC_RDMA_WRITE_LAST);
        left.tap.lose(1, Opcode.RC_RDMA_READ_RESPONSE_LAST);
        List<SendRequest> chain = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            long wrId = round * 10L;
            int key = window.rkey() & ~0xFF | round;
            chain.add(right.request(wrId).write(left.memory.remote()).from(right.memory, 0, 1000));
            chain.add(right.request(wrId + 1).bindMemoryWindow(window, key, region, region.address(), 64, WRITE));
            chain.add(right.request(wrId + 2).read(left.memory.remote()).into(right.memory, 0, 1000));
            chain.add(right.request(wrId + 3).localInvalidate(key).fenced());
        }
        assertEquals(12, right.qp.postSends(chain));
        pair.expect(right, 12);
        assertEquals(List.of(0L, 1L, 2L, 3L, 10L, 11L, 12L, 13L, 20L, 21L, 22L, 23L), right.wrIds());
        assertTrue(right.statuses().stream().allMatch(status -> status == CompletionStatus.SUCCESS));
    }

    @Test
    void shouldTellTheKeyBeforeWhenABindIsDropped() {
        MemoryWindow window = window(MemoryWindowType.TYPE_1);
        int rkey = bound(window, 0, 64, WRITE);
        pair.faultsFrom(right, FaultPlan.none().withLoss(1));
        right.post(right.request(1).write(left.memory.remote()).from(right.memory, 0, 8));
        assertTrue(window.bind(right.qp, 2, MemoryWindowBind.of(region, region.address(), 8, WRITE)));
        assertEquals(Keys.increment(rkey), window.rkey());
        right.qp.modify(QueuePairChange.to(QueuePairState.RESET));
        assertEquals(rkey, window.rkey());
    }

    @Test
    void shouldReportOnlyWhatWasAskedFor() {
        MemoryWindow window = window(MemoryWindowType.TYPE_1);
        MemoryWindowBind quiet =
                MemoryWindowBind.of(region, region.address(), 64, WRITE).signaled(false);
        assertTrue(window.bind(right.qp, 1, quiet));
        assertTrue(window.bind(right.qp, 2, quiet.signaled(true)));
        pair.expect(right, 1);
        assertEquals(List.of(2L), right.wrIds());
    }

    @Test
    void shouldHoldTheRegionAndItsRegistrationWhileBound() {
        MemoryWindow window = window(MemoryWindowType.TYPE_2);
        int rkey = bound(window, 0, 64, WRITE);
        RdmaException refused = assertThrows(RdmaException.class, region::close);
        assertEquals(Errno.EBUSY, refused.errno());
        assertThrows(RdmaException.class, () -> region.reregister(null, null, Set.of()));
        assertEquals(CompletionStatus.SUCCESS, write(region.address(), rkey, 8));
        window.close();
        region.reregister(null, null, Set.of());
        region.close();
        assertEquals(CompletionStatus.REMOTE_ACCESS_ERROR, write(region.address(), rkey, 8));
    }

    @Test
    void shouldGoWithEverythingElseOfTheContext() {
        bound(window(MemoryWindowType.TYPE_1), 0, 64, WRITE);
        MemoryWindow older = window(MemoryWindowType.TYPE_1);
        MemoryRegion younger = right.pd.allocate(64, Access.MEMORY_WINDOW_BIND);
        assertTrue(older.bind(right.qp, 1, MemoryWindowBind.of(younger, younger.address(), 8, Access.REMOTE_READ)));
        assertEquals(CompletionStatus.SUCCESS, done());
        assertThrows(RdmaException.class, right.pd::close);
    }
}
