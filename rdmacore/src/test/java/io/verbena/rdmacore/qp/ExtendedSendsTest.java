package io.verbena.rdmacore.qp;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rdmacore.layout.ContextOps;
import io.verbena.rdmacore.layout.QpEx;
import io.verbena.rdmacore.layout.StructField.U64;
import io.verbena.rdmacore.lib.Memory;
import io.verbena.rdmacore.rig.FakeDriver;
import io.verbena.rdmacore.rig.PlainRegion;
import io.verbena.verbs.BadRequestException;
import io.verbena.verbs.Errno;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.attr.FlushType;
import io.verbena.verbs.attr.Operation;
import io.verbena.verbs.attr.QueuePairCapabilities;
import io.verbena.verbs.attr.QueuePairType;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Operations that are posted by calls; the driver here writes them down.
class ExtendedSendsTest {
    private final Arena arena = Arena.ofShared();
    private final FakeDriver driver = new FakeDriver();
    private final PlainRegion region = new PlainRegion(arena.allocate(64, 8), 1, 1);
    private final long qpEx = arena.allocate(QpEx.WR_FLUSH.offset() + 8L, 8).address();
    private final List<String> calls = new ArrayList<>();
    private int result;
    private final SendPosts sends;

    ExtendedSendsTest() {
        put(QpEx.WR_START, "start", FunctionDescriptor.ofVoid(JAVA_LONG));
        put(QpEx.WR_COMPLETE, "complete", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
        put(QpEx.WR_ATOMIC_WRITE, "atomicWrite", takes(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG));
        put(QpEx.WR_FLUSH, "flush", takes(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_BYTE, JAVA_BYTE));
        sends = sends(Set.of(Operation.ATOMIC_WRITE, Operation.FLUSH));
    }

    private static FunctionDescriptor takes(MemoryLayout... layouts) {
        return FunctionDescriptor.ofVoid(layouts);
    }

    @SuppressWarnings("restricted")
    private void put(U64 place, String method, FunctionDescriptor descriptor) {
        try {
            MethodHandle handle = MethodHandles.lookup().bind(this, method, descriptor.toMethodType());
            place.set(
                    qpEx,
                    Linker.nativeLinker().upcallStub(handle, descriptor, arena).address());
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private void start(long qp) {
        calls.add("start " + (qp == qpEx));
    }

    private int complete(long qp) {
        calls.add("complete");
        return result;
    }

    private void atomicWrite(long qp, int rkey, long remoteAddress, long data) {
        calls.add("atomic write %d flags %d: 0x%x at 0x%x key 0x%x"
                .formatted(QpEx.WR_ID.get(qp), QpEx.WR_FLAGS.get(qp), Memory.getLong(data), remoteAddress, rkey));
    }

    private void flush(long qp, int rkey, long remoteAddress, long length, byte types, byte level) {
        calls.add("flush %d: %d bytes at 0x%x key 0x%x types %d level %d"
                .formatted(QpEx.WR_ID.get(qp), length, remoteAddress, rkey, types, level));
    }

    private SendPosts sends(Set<Operation> operations) {
        return new SendPosts(
                "post send",
                driver.function(ContextOps.POST_SEND),
                driver.qp(),
                QueuePairType.RC,
                new QueuePairCapabilities(16, 16, 2, 2, 16),
                operation -> {},
                new ExtendedSends(qpEx, operations));
    }

    private static SendRequest request(long wrId) {
        return new NativeSendRequest(2, 16, false).wrId(wrId);
    }

    private SendRequest atomicWrite(long wrId) {
        region.memory().set(JAVA_LONG, 8, 0x1234_5678_9ABCL);
        return request(wrId).atomicWrite(0x4000, 0x77).from(region, 8, 8).signaled();
    }

    @AfterEach
    void closeAll() {
        driver.close();
        arena.close();
    }

    @Test
    void shouldPostAnAtomicWriteByCalls() {
        assertTrue(sends.post(atomicWrite(5)));
        assertEquals(
                List.of("start true", "atomic write 5 flags 2: 0x123456789abc at 0x4000 key 0x77", "complete"), calls);
        assertEquals(0, driver.calls);
    }

    @Test
    void shouldPostAFlushByCalls() {
        assertTrue(sends.post(request(6)
                .flush(0x4000, 0x77, 100, FlushType.GLOBAL_VISIBILITY, FlushType.PERSISTENCE)
                .signaled()));
        assertTrue(sends.post(request(7).flushRegion(0x77, FlushType.PERSISTENCE)));
        assertEquals("flush 6: 100 bytes at 0x4000 key 0x77 types 3 level 0", calls.get(1));
        assertEquals("flush 7: 0 bytes at 0x0 key 0x77 types 2 level 1", calls.get(4));
    }

    @Test
    void shouldKeepTheOrderOfAChainThatMixesBothWays() {
        List<SendRequest> chain = List.of(
                request(1).send().empty(),
                request(2).send().empty(),
                atomicWrite(3),
                request(4).send().empty(),
                atomicWrite(5),
                atomicWrite(6));
        assertEquals(6, sends.post(chain));
        assertEquals(2, driver.calls, "requests that can be linked are");
        assertEquals(
                List.of(1L, 2L, 4L),
                driver.sends.stream().map(FakeDriver.Arrived::wrId).toList());
        assertEquals(9, calls.size(), "three requests by calls");
        assertTrue(calls.get(1).startsWith("atomic write 3"), calls::toString);
        assertTrue(calls.get(7).startsWith("atomic write 6"), calls::toString);
    }

    @Test
    void shouldSayWhereAChainWasRefused() {
        result = Errno.EINVAL.number();
        BadRequestException refused = assertThrows(
                BadRequestException.class,
                () -> sends.post(List.of(request(1).send().empty(), atomicWrite(2), atomicWrite(3))));
        assertEquals(1, refused.index());
        assertEquals(1, driver.sends.size());
    }

    @Test
    void shouldDeclineWhenTheQueueIsFull() {
        result = Errno.ENOMEM.number();
        assertFalse(sends.post(atomicWrite(1)));
        assertEquals(
                1,
                sends.post(List.of(
                        request(1).send().empty(), atomicWrite(2), request(3).send())));
    }

    @Test
    void shouldRefuseAtomicWritesOfOtherLengths() {
        for (SendRequest wrong : List.of(
                request(1).atomicWrite(0x4000, 1).from(region, 0, 4),
                request(1).atomicWrite(0x4000, 1).from(region, 0, 16),
                request(1).atomicWrite(0x4000, 1).fromAddress(region.address(), 8, 1))) {
            assertEquals(
                    Errno.EINVAL,
                    assertThrows(BadRequestException.class, () -> sends.post(wrong))
                            .errno());
        }
        assertEquals(List.of(), calls);
    }

    @Test
    void shouldSayThatAnOperationMustBeNamedBefore() {
        SendPosts flushOnly = sends(Set.of(Operation.FLUSH));
        BadRequestException refused = assertThrows(BadRequestException.class, () -> flushOnly.post(atomicWrite(1)));
        assertTrue(refused.getMessage().contains("QueuePairOptions.operations"), refused::getMessage);
        assertEquals(List.of(), calls);
    }
}
