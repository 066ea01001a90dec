package io.verbena.rdmacore.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.rdmacore.lib.Libraries;
import io.verbena.verbs.Errno;
import io.verbena.verbs.Poller;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Event channels without a device.
class NativeEventChannelTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final NativeConnectionManager manager = new NativeConnectionManager();

    @BeforeAll
    static void requireLibrary() {
        assumeTrue(
                Libraries.RDMACM.availability().isAvailable(),
                () -> Libraries.RDMACM.availability().toString());
    }

    private static Errno errno(CompletableFuture<?> call) {
        ExecutionException e = assertThrows(ExecutionException.class, () -> call.get(20, TimeUnit.SECONDS));
        return ((RdmaException) e.getCause()).errno();
    }

    private static void put(NativeEventChannel channel, CmEvent event) {
        channel.lock();
        try {
            channel.put(event);
        } finally {
            channel.unlock();
        }
    }

    @Test
    void shouldHandOutEventsInOrderAndBeReadyMeanwhile() {
        try (NativeEventChannel channel = NativeEventChannel.open();
                Poller poller = Poller.of(channel)) {
            assertNull(channel.tryTake());
            assertFalse(channel.isReady());
            CmEvent first = CmEvent.of(CmEventType.ESTABLISHED, null, 0);
            CmEvent second = CmEvent.of(CmEventType.DISCONNECTED, null, 0);
            put(channel, first);
            put(channel, second);
            assertEquals(1, poller.await(LONG));
            assertSame(first, channel.await(LONG));
            assertTrue(channel.isReady());
            assertSame(second, channel.await(LONG));
            assertFalse(channel.isReady());
            assertNull(channel.await(Duration.ofMillis(2)));
            assertEquals(0, poller.await(Duration.ZERO));
        }
    }

    @Test
    void shouldWakeThreadsWhenClosed() {
        NativeEventChannel channel = NativeEventChannel.open();
        CompletableFuture<CmEvent> waiting = CompletableFuture.supplyAsync(() -> channel.await(LONG));
        channel.close();
        channel.close();
        assertEquals(Errno.EBADF, errno(waiting));
        RdmaException e = assertThrows(RdmaException.class, channel::tryTake);
        assertEquals(Errno.EBADF, e.errno());
    }

    @Test
    void shouldSayWhatIsMissingWhereThereIsNoConnectionManager() {
        assumeTrue(!Files.exists(Path.of("/dev/infiniband/rdma_cm")), "there is one");
        try (EventChannel channel = manager.createEventChannel()) {
            RdmaException e = assertThrows(RdmaException.class, () -> manager.createId(channel, PortSpace.TCP));
            assertTrue(e.getMessage().contains("rdma_ucm"), e.getMessage());
        } // closes: the id that failed is not in its way
        assertThrows(RdmaException.class, () -> manager.createSynchronousId(PortSpace.TCP));
    }

    @Test
    void shouldLeaveNoDescriptorBehindWhenAnIdCannotBeMade() {
        assumeTrue(!Files.exists(Path.of("/dev/infiniband/rdma_cm")), "it can be made");
        manager.createEventChannel().close(); // whatever is loaded on first use
        long before = descriptors();
        manager.createEventChannel().close();
        assertThrows(RdmaException.class, () -> manager.createSynchronousId(PortSpace.TCP));
        assertEquals(before, descriptors());
    }

    private static long descriptors() {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void shouldRefuseChannelsOfOthers() {
        RdmaException e = assertThrows(RdmaException.class, () -> manager.createId(null, PortSpace.TCP));
        assertEquals(Errno.EINVAL, e.errno());
        assertTrue(e.getMessage().contains("createSynchronousId"));
    }
}
