package io.verbena.rdmacore.qp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rdmacore.layout.ContextOps;
import io.verbena.rdmacore.rig.FakeDriver;
import io.verbena.rdmacore.rig.FakeDriver.Arrived;
import io.verbena.rdmacore.rig.FakeDriver.Buffer;
import io.verbena.rdmacore.rig.PlainRegion;
import io.verbena.verbs.BadRequestException;
import io.verbena.verbs.Errno;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.RemoteBuffer;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.UnsupportedVerbException;
import io.verbena.verbs.attr.Operation;
import io.verbena.verbs.attr.QueuePairCapabilities;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.attr.QueuePairType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PostTest {
    private static final QueuePairCapabilities SIZES = new QueuePairCapabilities(16, 16, 2, 2, 16);

    private boolean ready = true;
    private final Arena arena = Arena.ofShared();
    private final FakeDriver driver = new FakeDriver();
    private final PlainRegion region = new PlainRegion(arena.allocate(4096), 0xAABB_CCDD, 7);
    private final SendPosts sends = sends(QueuePairType.RC);
    private final ReceivePosts receives = new ReceivePosts(
            "post receive",
            driver.function(ContextOps.POST_RECV),
            driver.qp(),
            2,
            "scatterGather",
            () -> ready,
            "not now");

    private SendPosts sends(QueuePairType type) {
        return new SendPosts(
                "post send", driver.function(ContextOps.POST_SEND), driver.qp(), type, SIZES, PostTest::lack, null);
    }

    private static void lack(Operation operation) {
        throw new UnsupportedVerbException("fake0", "post " + operation);
    }

    private static SendRequest request() {
        return new NativeSendRequest(2, 16, false);
    }

    @AfterEach
    void closeAll() {
        driver.close();
        arena.close();
    }

    private Buffer buffer(int offset, int length) {
        return new Buffer(region.address() + offset, length, region.lkey());
    }

    @Test
    void shouldEncodeAWriteWithImmediate() {
        SendRequest write = request()
                .wrId(-2)
                .writeWithImmediate(0x7fff_1234_5678L, 0x99, 0x0102_0304)
                .from(region, 8, 100)
                .and(region, 200, 0)
                .signaled()
                .solicited()
                .fenced();
        assertTrue(sends.post(write));
        Arrived arrived = driver.sends.getFirst();
        assertEquals(-2, arrived.wrId());
        assertEquals(Operation.RDMA_WRITE_WITH_IMMEDIATE.code(), arrived.opcode());
        assertEquals(7, arrived.flags());
        assertEquals(0x0102_0304, arrived.immediate());
        assertEquals(0x7fff_1234_5678L, arrived.remoteAddress());
        assertEquals(0x99, arrived.rkey());
        assertEquals(List.of(buffer(8, 100), buffer(200, 0)), arrived.buffers());
    }

    @Test
    void shouldEncodeAtomics() {
        sends.post(request().compareAndSwap(64, 5, 1, 2).into(region, 0, 8));
        sends.post(request().fetchAndAdd(64, 5, -3).remote(72, 6).into(region, 0, 8));
        Arrived swap = driver.sends.get(0);
        assertEquals(List.of(64L, 1L, 2L), List.of(swap.remoteAddress(), swap.compareAdd(), swap.swap()));
        assertEquals(5, swap.atomicKey());
        Arrived add = driver.sends.get(1);
        assertEquals(List.of(72L, -3L), List.of(add.remoteAddress(), add.compareAdd()));
        assertEquals(6, add.atomicKey());
    }

    @Test
    void shouldTakeWhatAPeerDescribed() {
        RemoteBuffer remote = new RemoteBuffer(64, 8, 5);
        sends.post(request().compareAndSwap(remote, 1, 2).into(region, 0, 8));
        sends.post(request().fetchAndAdd(remote, -3).into(region, 0, 8));
        sends.post(request().writeWithImmediate(remote, 7).from(region, 0, 8));
        Arrived swap = driver.sends.get(0);
        assertEquals(
                List.of(64L, 5L, 1L, 2L),
                List.of(swap.remoteAddress(), (long) swap.atomicKey(), swap.compareAdd(), swap.swap()));
        Arrived add = driver.sends.get(1);
        assertEquals(List.of(64L, 5L, -3L), List.of(add.remoteAddress(), (long) add.atomicKey(), add.compareAdd()));
        Arrived write = driver.sends.get(2);
        assertEquals(
                List.of(64L, 5L, 7L), List.of(write.remoteAddress(), (long) write.rkey(), (long) write.immediate()));
    }

    @Test
    void shouldPatchARequestBetweenPosts() {
        SendRequest request = request().wrId(1).write(10, 20).from(region, 0, 4).signaled();
        sends.post(request);
        sends.post(request.wrId(2).remote(30, 40).from(region, 4, 4).unsignaled());
        Arrived second = driver.sends.get(1);
        assertEquals(2, second.wrId());
        assertEquals(30, second.remoteAddress());
        assertEquals(40, second.rkey());
        assertEquals(0, second.flags());
        assertEquals(List.of(buffer(4, 4)), second.buffers());
        sends.post(request.send().empty());
        assertEquals(List.of(), driver.sends.get(2).buffers());
    }

    @Test
    void shouldCopyInlineBytesOfAnyMemory() {
        region.memory().setString(0, "hello");
        sends.post(request().send().from(region, 0, 3).and(region, 3, 2).inline());
        sends.post(request().send().fromInline(MemorySegment.ofArray("heap".getBytes())));
        sends.post(request().send().fromInline(MemorySegment.ofArray(new byte[0])));
        assertEquals("hello", driver.sends.get(0).inline());
        assertEquals("heap", driver.sends.get(1).inline());
        assertEquals("", driver.sends.get(2).inline());
    }

    @Test
    void shouldRefuseInlineBytesThatCannotBeCopied() {
        assertRefused(request().send().from(region, 0, 17).inline());
        assertRefused(request().read(0, 0).into(region, 0, 8).inline());
        assertRefused(request().send().fromAddress(1234, 8, 0).inline());
        assertEquals(0, driver.calls);
    }

    @Test
    void shouldNotReadMemoryThatIsGone() {
        Arena shortLived = Arena.ofShared();
        PlainRegion gone = new PlainRegion(shortLived.allocate(8), 1, 1);
        SendRequest request = request().send().from(gone, 0, 8).inline();
        shortLived.close();
        assertThrows(IllegalStateException.class, () -> sends.post(request));
        assertEquals(0, driver.calls);
    }

    private void assertRefused(SendRequest request) {
        assertEquals(
                Errno.EINVAL,
                assertThrows(BadRequestException.class, () -> sends.post(request))
                        .errno());
    }

    @Test
    void shouldRefuseARequestWithoutAnOperation() {
        assertRefused(request().remote(1, 2).from(region, 0, 8));
        assertRefused(null);
        assertEquals(0, driver.calls);
    }

    @Test
    void shouldRefuseWhatDriversFindOutTooLate() {
        SendRequest many = request().send().from(region, 0, 1).and(region, 0, 1).and(region, 0, 1);
        assertRefused(many);
        driver.state(QueuePairState.RTR);
        assertRefused(request().send().from(region, 0, 1));
        driver.state(QueuePairState.RTS);
        BadRequestException writing = assertThrows(
                BadRequestException.class,
                () -> sends(QueuePairType.UD).post(new NativeSendRequest(2, 16, true).write(0, 0)));
        assertTrue(writing.getMessage().contains("RDMA_WRITE"), writing::getMessage);
        assertThrows(UnsupportedVerbException.class, () -> sends.post(request().flushRegion(1)));
        assertThrows(IndexOutOfBoundsException.class, () -> request().send().from(region, 4090, 7));
        assertEquals(0, driver.calls);
    }

    @Test
    void shouldRefuseARequestWhoseStructIsForAnotherTypeOfQueuePair() {
        assertRefused(new NativeSendRequest(2, 16, true).send());
        assertThrows(
                BadRequestException.class,
                () -> sends(QueuePairType.UD).post(request().send()));
        assertEquals(0, driver.calls);
    }

    @Test
    void shouldBlameTheFirstWhenTheDriverDoesNotSayWhichItRefuses() {
        List<SendRequest> chain =
                List.of(request().wrId(1).send(), request().wrId(2).send());
        driver.malformed = 2;
        assertEquals(1, refusedIndex(chain));
        driver.namesTheRefused = false;
        driver.malformed = 1;
        assertEquals(0, refusedIndex(chain));
    }

    private int refusedIndex(List<SendRequest> chain) {
        return assertThrows(BadRequestException.class, () -> sends.post(chain)).index();
    }

    @Test
    void shouldPostAChainInOneCall() {
        List<SendRequest> chain = List.of(
                request().wrId(1).send(),
                request().wrId(2).send(),
                request().wrId(3).send());
        assertEquals(3, sends.post(chain));
        assertEquals(1, driver.calls);
        assertEquals(List.of(1L, 2L, 3L), sent());
        assertTrue(sends.post(chain.getFirst()), "and the links are gone");
        assertEquals(List.of(1L, 2L, 3L, 1L), sent());
        assertEquals(0, sends.post(List.of()));
        assertEquals(2, driver.calls);
    }

    private List<Long> sent() {
        return driver.sends.stream().map(Arrived::wrId).toList();
    }

    @Test
    void shouldTellWhichRequestOfAChainTheDriverRefused() {
        driver.malformed = 2;
        List<SendRequest> chain = List.of(
                request().wrId(1).send(),
                request().wrId(2).send(),
                request().wrId(3).send());
        BadRequestException e = assertThrows(BadRequestException.class, () -> sends.post(chain));
        assertEquals(1, e.index());
        assertEquals(Errno.EINVAL, e.errno());
        assertEquals(List.of(1L), sent());
    }

    @Test
    void shouldPostWhatComesBeforeARequestThatIsRefusedHere() {
        List<SendRequest> chain =
                List.of(request().wrId(1).send(), request().wrId(2).atomicWrite(0, 0));
        BadRequestException e = assertThrows(BadRequestException.class, () -> sends.post(chain));
        assertEquals(1, e.index());
        assertEquals(Errno.EOPNOTSUPP, e.errno());
        assertEquals(List.of(1L), sent());
    }

    @Test
    void shouldCountWhatAFullQueueTook() {
        driver.room = 2;
        List<SendRequest> chain = List.of(
                request().wrId(1).send(),
                request().wrId(2).send(),
                request().wrId(3).send());
        assertEquals(2, sends.post(chain));
        assertFalse(sends.post(chain.getLast()));
        driver.room = 1;
        assertTrue(sends.post(chain.getLast()));
        assertEquals(List.of(1L, 2L, 3L), sent());
    }

    @Test
    void shouldPostARequestThatAChainNamesTwice() {
        SendRequest one = request().wrId(1).send();
        SendRequest two = request().wrId(2).send();
        driver.room = 4;
        assertEquals(4, sends.post(List.of(one, two, one, one, two)));
        assertEquals(List.of(1L, 2L, 1L, 1L), sent());
    }

    @Test
    void shouldPostReceives() {
        ReceiveRequest receive =
                new NativeReceiveRequest(2).wrId(9).into(region, 0, 10).and(region, 10, 20);
        assertTrue(receives.post(receive));
        assertEquals(9, driver.receives.getFirst().wrId());
        assertEquals(
                List.of(buffer(0, 10), buffer(10, 20)),
                driver.receives.getFirst().buffers());
        assertThrows(BadRequestException.class, () -> receives.post(receive.and(region, 30, 1)));
        ready = false;
        assertThrows(BadRequestException.class, () -> receives.post(receive.empty()));
    }

    @Test
    void shouldTakeNothingAfterClosing() {
        sends.close(() -> {});
        SendRequest late = request().send();
        for (BadRequestException refused : List.of(
                assertThrows(BadRequestException.class, () -> sends.post(late)),
                assertThrows(BadRequestException.class, () -> sends.post(List.of(late))))) {
            assertEquals(Errno.EBADF, refused.errno());
        }
        assertEquals(0, driver.calls);
    }
}
