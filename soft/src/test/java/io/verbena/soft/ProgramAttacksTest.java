package io.verbena.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.engine.Counter;
import io.verbena.soft.net.Loopback;
import io.verbena.soft.os.NanoClock;
import io.verbena.soft.rig.LoopbackPair;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A program that misuses its own objects on purpose: it gets an error, and other programs are not harmed.
class ProgramAttacksTest {
    private static final int BYTES = 8192;
    private static final int MANY = 20;
    /// Enough rounds that the methods that access the memory are compiled.
    private static final int WARM = 15_000;

    private static final int INLINE_BYTES = 32;

    private static final long LONGEST_NS = 30_000_000_000L;

    /// The operations that access the truncated memory.
    enum Touch {
        WRITE,
        READ,
        ADD,
        SEND,
        WRITE_FROM,
        RECEIVE
    }

    private static void await(BooleanSupplier ready) {
        long startNs = NanoClock.SYSTEM.nowNs();
        while (!ready.getAsBoolean()) {
            assertTrue(NanoClock.SYSTEM.nowNs() - startNs < LONGEST_NS, "hangs");
        }
    }

    @Test
    void shouldLetAHandlerCloseEverything() {
        LoopbackPair pair = new LoopbackPair(BYTES);
        for (int i = 0; i < MANY; i++) {
            pair.right.receive(i, 0, 100);
            pair.left.send(i, 0, 100);
        }
        int[] seen = {0};
        await(() -> {
            pair.left.poll();
            return seen[0] > 0
                    || pair.right.cq.poll(
                                    completion -> {
                                        if (seen[0]++ == 0) {
                                            pair.right.context.closeAll();
                                        }
                                    },
                                    MANY)
                            > 0;
        });
        assertEquals(
                Errno.EBADF,
                assertThrows(RdmaException.class, () -> pair.right.cq.poll(completion -> {}, 1))
                        .errno());
        pair.close();
    }

    @Test
    void shouldKeepTheOtherCompletionsWhenAHandlerThrows() {
        try (LoopbackPair pair = new LoopbackPair(BYTES)) {
            for (int i = 0; i < MANY; i++) {
                pair.right.receive(i, 0, 100);
                pair.left.send(i, 0, 100);
            }
            List<Long> seen = new ArrayList<>();
            await(() -> {
                pair.left.poll();
                try {
                    pair.right.cq.poll(
                            completion -> {
                                seen.add(completion.wrId());
                                throw new IllegalStateException("as the test wants");
                            },
                            MANY);
                } catch (IllegalStateException expected) {
                    assertEquals("as the test wants", expected.getMessage());
                }
                return seen.size() == MANY;
            });
            for (int i = 0; i < MANY; i++) {
                assertEquals(i, seen.get(i));
            }
        }
    }

    @Test
    void shouldLetAHandlerPollTheSameQueue() {
        try (LoopbackPair pair = new LoopbackPair(BYTES)) {
            for (int i = 0; i < MANY; i++) {
                pair.right.receive(i, 0, 100);
                pair.left.send(i, 0, 100);
            }
            int[] seen = {0};
            await(() -> {
                pair.left.poll();
                pair.right.cq.poll(
                        outer -> {
                            seen[0]++;
                            pair.right.cq.poll(inner -> seen[0]++, MANY);
                        },
                        MANY);
                return seen[0] == MANY;
            });
        }
    }

    @Test
    void shouldServeAThreadThatIsInterruptedAllTheTime() {
        Thread.currentThread().interrupt();
        try (LoopbackPair pair = new LoopbackPair(BYTES)) {
            for (int i = 0; i < MANY; i++) {
                pair.right.receive(i, 4000, 1000);
                pair.left.send(1, 0, 1000);
                pair.left.write(2, 0, 1000, 2000);
                pair.left.read(3, 0, 1000, 2000);
                Thread.currentThread().interrupt();
                pair.expect(pair.left, 3 * i + 3);
                pair.expect(pair.right, i + 1);
            }
            assertEquals(0, pair.left.counter(Counter.ENGINE_FAULTS));
        } finally {
            assertTrue(Thread.interrupted());
        }
    }

    /// The operating system has no bytes any more where the region lies.
    @ParameterizedTest
    @EnumSource(Touch.class)
    @EnabledOnOs(OS.LINUX)
    void shouldFailRequestsOnAFileThatWasCut(Touch touch, @TempDir Path folder) throws IOException {
        try (Arena arena = Arena.ofShared();
                FileChannel file = FileChannel.open(
                        folder.resolve("memory"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
                LoopbackPair pair = new LoopbackPair(BYTES)) {
            var mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, BYTES, arena);
            boolean here = touch == Touch.SEND || touch == Touch.WRITE_FROM;
            MemoryRegion region = (here ? pair.left : pair.right)
                    .pd.register(
                            mapped, Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);
            for (int i = 0; i < WARM; i++) {
                touch(pair, touch, region);
                pair.expect(pair.left, 1);
                pair.left.completions.clear();
                pair.right.completions.clear();
            }
            file.truncate(0);
            touch(pair, touch, region);
            pair.driveUntil(() -> !pair.left.completions.isEmpty());
            CompletionStatus expected = switch (touch) {
                case WRITE, READ, ADD -> CompletionStatus.REMOTE_ACCESS_ERROR;
                case SEND, WRITE_FROM -> CompletionStatus.LOCAL_PROTECTION_ERROR;
                case RECEIVE -> CompletionStatus.REMOTE_OPERATION_ERROR;
            };
            assertEquals(expected, pair.left.completions.getFirst().status());
            assertEquals(0, pair.left.counter(Counter.ENGINE_FAULTS));
            assertEquals(0, pair.right.counter(Counter.ENGINE_FAULTS));
        }
    }

    /// Inline bytes are read while posting, so `post` throws.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @EnabledOnOs(OS.LINUX)
    void shouldRefuseInlineBytesOfAFileThatWasCut(boolean write, @TempDir Path folder) throws IOException {
        try (Arena arena = Arena.ofShared();
                FileChannel file = FileChannel.open(
                        folder.resolve("memory"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
                LoopbackPair pair = new LoopbackPair(BYTES)) {
            var mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, BYTES, arena);
            for (int i = 0; i < WARM; i++) {
                sendInline(pair, write, mapped.asSlice(0, INLINE_BYTES));
                pair.expect(pair.left, 1);
                pair.left.completions.clear();
                pair.right.completions.clear();
            }
            file.truncate(0);
            RdmaException refused =
                    assertThrows(RdmaException.class, () -> sendInline(pair, write, mapped.asSlice(0, INLINE_BYTES)));
            assertEquals(Errno.EFAULT, refused.errno());
            assertTrue(refused.getMessage().contains("the mapped file was truncated"), refused.getMessage());
            sendInline(pair, write, arena.allocate(INLINE_BYTES));
            pair.expect(pair.left, 1);
            assertEquals(0, pair.left.counter(Counter.ENGINE_FAULTS));
        }
    }

    private static void sendInline(LoopbackPair pair, boolean write, MemorySegment bytes) {
        var request = pair.left.request(1);
        if (write) {
            request.write(pair.right.memory.address(), pair.right.memory.rkey());
        } else {
            pair.right.receive(1, 0, 100);
            request.send();
        }
        assertTrue(pair.left.qp.post(request.fromInline(bytes)));
    }

    private static void touch(LoopbackPair pair, Touch touch, MemoryRegion region) {
        var request = pair.left.request(1);
        switch (touch) {
            case WRITE -> request.write(region.address(), region.rkey()).from(pair.left.memory, 0, 100);
            case READ -> request.read(region.address(), region.rkey()).into(pair.left.memory, 0, 100);
            case ADD -> request.fetchAndAdd(region.address(), region.rkey(), 1).into(pair.left.memory, 0, 8);
            case WRITE_FROM ->
                request.write(pair.right.memory.address(), pair.right.memory.rkey())
                        .from(region, 0, 100);
            case SEND -> {
                pair.right.receive(1, 0, 100);
                request.send().from(region, 0, 100);
            }
            case RECEIVE -> {
                pair.right.qp.post(pair.right.qp.newReceiveRequest().wrId(1).into(region, 0, 100));
                request.send().from(pair.left.memory, 0, 100);
            }
        }
        pair.left.post(request);
    }

    /// All ports of an address, and some more.
    @Test
    void shouldSayWhenThereIsNoPortForAnotherId() {
        ConnectionManager cm = new SoftProvider().connectionManager();
        InetSocketAddress any = new InetSocketAddress(Loopback.next(), 0);
        List<ConnectionId> ids = new ArrayList<>();
        try (EventChannel channel = cm.createEventChannel()) {
            int refused = 0;
            while (refused < 3) {
                ConnectionId id = cm.createId(channel, PortSpace.TCP);
                ids.add(id);
                try {
                    id.bind(any);
                } catch (RdmaException e) {
                    assertEquals(Errno.EADDRNOTAVAIL, e.errno());
                    refused++;
                }
                assertTrue(ids.size() < 100_000, "no end");
            }
            ids.removeFirst().close();
            ids.getLast().bind(any);
            ids.forEach(ConnectionId::close);
            ids.clear();
            try (ConnectionId id = cm.createId(channel, PortSpace.TCP)) {
                id.bind(any);
            }
        }
    }
}
