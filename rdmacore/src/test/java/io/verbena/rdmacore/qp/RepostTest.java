package io.verbena.rdmacore.qp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rdmacore.layout.ContextOps;
import io.verbena.rdmacore.rig.FakeDriver;
import io.verbena.rdmacore.rig.FakeDriver.Arrived;
import io.verbena.rdmacore.rig.PlainRegion;
import io.verbena.verbs.BadRequestException;
import io.verbena.verbs.Errno;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.attr.Operation;
import io.verbena.verbs.attr.QueuePairCapabilities;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.attr.QueuePairType;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Requests that are posted again: their structs are written anew only where something changed.
class RepostTest {
    private final Arena arena = Arena.ofShared();
    private final FakeDriver driver = new FakeDriver();
    private final PlainRegion region = new PlainRegion(arena.allocate(4096), 1, 2);
    private final SendPosts sends = sends(2);
    private final SendRequest request = request(1);

    private SendPosts sends(int scatterGather) {
        return new SendPosts(
                "post send",
                driver.function(ContextOps.POST_SEND),
                driver.qp(),
                QueuePairType.RC,
                new QueuePairCapabilities(16, 16, scatterGather, 2, 16),
                operation -> {},
                null);
    }

    private SendRequest request(long wrId) {
        return new NativeSendRequest(2, 16, false).wrId(wrId).write(8, 9).from(region, 0, 4);
    }

    @AfterEach
    void closeAll() {
        driver.close();
        arena.close();
    }

    private Arrived post() {
        assertTrue(sends.post(request));
        return driver.sends.getLast();
    }

    @Test
    void shouldWriteEveryKindOfChange() {
        post();
        assertEquals(2, post(request.signaled()).flags());
        assertEquals(0x33, post(request.writeWithImmediate(8, 9, 0x33)).immediate());
        assertEquals(0x44, post(request.immediate(0x44)).immediate());
        assertEquals(2, post(request.and(region, 8, 4)).buffers().size());
        assertEquals(0, post(request.empty()).buffers().size());
        Arrived add = post(request.fetchAndAdd(16, 7, 5).into(region, 0, 8));
        assertEquals(List.of(16L, 7L, 5L), List.of(add.remoteAddress(), (long) add.atomicKey(), add.compareAdd()));
        assertEquals(6, post(request.fetchAndAdd(16, 7, 6)).compareAdd());
        assertEquals(24, post(request.remote(24, 7)).remoteAddress());
        Arrived write = post(request.write(32, 0x55));
        assertEquals(Operation.RDMA_WRITE.code(), write.opcode());
        assertEquals(List.of(32L, 0x55L), List.of(write.remoteAddress(), (long) write.rkey()));
    }

    private Arrived post(SendRequest changed) {
        assertEquals(request, changed);
        return post();
    }

    @Test
    void shouldReadInlineBytesEachTime() {
        request.send().inline();
        region.memory().setString(0, "one");
        assertEquals("one", post().inline());
        region.memory().setString(0, "two");
        assertEquals("two", post().inline());
    }

    @Test
    void shouldCheckTheStateEachTime() {
        post();
        driver.state(QueuePairState.INIT);
        assertThrows(BadRequestException.class, () -> sends.post(request));
    }

    @Test
    void shouldCheckForEachQueueByItself() {
        request.and(region, 8, 4);
        post();
        SendPosts narrow = sends(1);
        assertThrows(BadRequestException.class, () -> narrow.post(request));
        post();
    }

    @Test
    void shouldPostAChainAgainAsFarAsItIsTheSame() {
        SendRequest two = request(2);
        SendRequest three = request(3);
        sends.post(List.of(request, two, three));
        sends.post(List.of(request, two, two, three));
        sends.post(List.of(request, two));
        two.signaled();
        sends.post(List.of(request, two, three, request));
        assertEquals(
                List.of(1L, 2L, 3L, 1L, 2L, 2L, 3L, 1L, 2L, 1L, 2L, 3L, 1L),
                driver.sends.stream().map(Arrived::wrId).toList());
        assertEquals(6, driver.calls, "a request is in a chain once");
        assertThrows(
                BadRequestException.class,
                () -> sends.post(List.of(request, two.send().from(region, 0, 17).inline())));
        assertEquals(1L, driver.sends.getLast().wrId(), "the first was posted");
        assertEquals(7, driver.calls);
    }

    @Test
    void shouldLinkAChainAnewWhenItsOrderChanges() {
        SendRequest two = request(2);
        SendRequest three = request(3);
        SendPosts other = sends(2);
        sends.post(List.of(request, two, three));
        sends.post(List.of(request, two, three));
        other.post(List.of(three, request));
        sends.post(List.of(request, two, three));
        sends.post(two);
        sends.post(List.of(three, two));
        assertEquals(
                List.of(1L, 2L, 3L, 1L, 2L, 3L, 3L, 1L, 1L, 2L, 3L, 2L, 3L, 2L),
                driver.sends.stream().map(Arrived::wrId).toList());
        assertEquals(6, driver.calls);
    }

    @Test
    void shouldPostAChainAgainWithWhatChangedInIt() {
        SendRequest two = request(2);
        List<SendRequest> chain = List.of(request, two);
        sends.post(chain);
        sends.post(chain);
        two.wrId(3).remote(24, 7);
        sends.post(chain);
        assertEquals(List.of(24L, 7L), remoteOfLast());
        two.from(region, 0, 4).and(region, 8, 4);
        sends.post(chain);
        assertEquals(2, driver.sends.getLast().buffers().size());
        two.signaled();
        sends.post(chain);
        assertEquals(2, driver.sends.getLast().flags());
        two.send().inline();
        region.memory().setString(0, "one");
        sends.post(chain);
        region.memory().setString(0, "two");
        sends.post(chain);
        assertEquals("two", driver.sends.getLast().inline().substring(0, 3), "inline bytes are read each time");
        assertEquals(7, driver.calls);
        assertEquals(14, driver.sends.size());
    }

    private List<Long> remoteOfLast() {
        Arrived last = driver.sends.getLast();
        return List.of(last.remoteAddress(), (long) last.rkey());
    }

    @Test
    void shouldCheckAChainAgainWhenTheStateChanged() {
        List<SendRequest> chain = List.of(request, request(2));
        sends.post(chain);
        driver.state(QueuePairState.INIT);
        assertThrows(BadRequestException.class, () -> sends.post(chain));
        assertEquals(2, driver.sends.size());
    }

    @Test
    void shouldCheckAChainAgainWhenAnotherQueueTookMoreBuffers() {
        SendRequest two = request(2);
        SendPosts narrow = sends(1);
        narrow.post(List.of(request, two));
        two.and(region, 8, 4);
        sends.post(two);
        assertEquals(
                1,
                assertThrows(BadRequestException.class, () -> narrow.post(List.of(request, two)))
                        .index());
        ReceivePosts wide = receives(2);
        ReceivePosts narrowReceives = receives(1);
        ReceiveRequest receive = new NativeReceiveRequest(2).wrId(1).into(region, 0, 4);
        ReceiveRequest last = new NativeReceiveRequest(2).wrId(2).into(region, 8, 4);
        narrowReceives.post(List.of(receive, last));
        wide.post(last.and(region, 16, 4));
        assertThrows(BadRequestException.class, () -> narrowReceives.post(List.of(receive, last)));
        assertThrows(BadRequestException.class, () -> narrowReceives.post(last));
    }

    @Test
    void shouldNotReachTheDriverOnceAnotherThreadClosedTheQueue() throws InterruptedException {
        CountDownLatch posted = new CountDownLatch(3);
        AtomicInteger refused = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            SendRequest one = request(2L * i);
            List<SendRequest> chain = List.of(request(2L * i), request(2L * i + 1));
            threads.add(Thread.ofPlatform().daemon().start(() -> {
                try {
                    while (true) {
                        sends.post(one);
                        sends.post(chain);
                        posted.countDown();
                    }
                } catch (BadRequestException e) {
                    refused.addAndGet(e.errno() == Errno.EBADF ? 1 : 0);
                }
            }));
        }
        assertTrue(posted.await(30, TimeUnit.SECONDS));
        int[] calls = {0};
        sends.close(() -> calls[0] = driver.calls);
        for (Thread thread : threads) {
            assertTrue(thread.join(Duration.ofSeconds(30)));
        }
        assertEquals(3, refused.get());
        assertEquals(calls[0], driver.calls);
    }

    private ReceivePosts receives(int scatterGather) {
        return new ReceivePosts(
                "post receive",
                driver.function(ContextOps.POST_RECV),
                driver.qp(),
                scatterGather,
                "scatterGather",
                () -> true,
                "");
    }
}
