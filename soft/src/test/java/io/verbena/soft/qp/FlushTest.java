package io.verbena.soft.qp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.packet.Opcode;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.fault.FaultPlan;
import io.verbena.soft.rig.SimulatedPair;
import io.verbena.verbs.BadRequestException;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionOpcode;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.FlushType;
import io.verbena.verbs.attr.Mtu;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// ATOMIC_WRITE and FLUSH between two devices.
class FlushTest {
    private static final Access[] KEPT = {
        Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.FLUSH_GLOBAL, Access.FLUSH_PERSISTENT
    };

    private final SimulatedPair pair = new SimulatedPair(1, 64 * 1024).connect(Mtu.MTU_1024);

    @AfterEach
    void close() {
        assertEquals(0, pair.left.counter(Counter.ENGINE_FAULTS));
        assertEquals(0, pair.right.counter(Counter.ENGINE_FAULTS));
        pair.close();
    }

    private void expect(CompletionOpcode... opcodes) {
        pair.expect(pair.left, opcodes.length);
        assertTrue(
                pair.left.statuses().stream().allMatch(CompletionStatus.SUCCESS::equals),
                () -> pair.left.completions.toString());
        assertEquals(
                List.of(opcodes),
                pair.left.completions.stream().map(c -> c.opcode()).toList());
    }

    private void flush(long wrId, MemoryRegion remote, long offset, long length, FlushType... types) {
        pair.left.post(pair.left.request(wrId).flush(remote.address() + offset, remote.rkey(), length, types));
    }

    private void atomicWrite(long wrId, long from, long to) {
        pair.left.post(pair.left
                .request(wrId)
                .atomicWrite(pair.right.memory.address() + to, pair.right.memory.rkey())
                .from(pair.left.memory, from, 8));
    }

    private String header(Opcode opcode, int from, int to) {
        return HexFormat.of().formatHex(pair.left.tap.frames(opcode).getFirst().bytes(), from, to);
    }

    @Test
    void shouldSayInTheRequestWhatIsFlushedAndHowFar() {
        MemoryRegion remote = pair.right.memory;
        flush(1, remote, 16, 0x123, FlushType.GLOBAL_VISIBILITY);
        expect(CompletionOpcode.FLUSH);
        assertEquals(
                "00000001" + "%016x%08x".formatted(remote.address() + 16, remote.rkey()) + "00000123",
                header(Opcode.RC_FLUSH, 12, 32));
        pair.left.tap.forget();
        pair.left.post(pair.left.request(2).flushRegion(remote.rkey(), FlushType.GLOBAL_VISIBILITY));
        pair.expect(pair.left, 2);
        assertEquals(
                "00000011" + "%016x%08x".formatted(0L, remote.rkey()) + "00000000", header(Opcode.RC_FLUSH, 12, 32));
    }

    @Test
    void shouldWriteWhatWasFlushedToTheFile(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("kept");
        Files.write(file, new byte[8192]);
        byte[] data = pair.left.fill(0, 4096, 3);
        try (Arena arena = Arena.ofShared();
                FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MemorySegment mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, 8192, arena);
            MemoryRegion remote = pair.right.pd.register(mapped, KEPT);
            pair.left.post(pair.left
                    .request(1)
                    .write(remote.address() + 100, remote.rkey())
                    .from(pair.left.memory, 0, 4096));
            flush(2, remote, 100, 4096, FlushType.PERSISTENCE);
            pair.left.post(pair.left.request(3).flushRegion(remote.rkey(), FlushType.PERSISTENCE));
            flush(4, remote, 8192, 0, FlushType.PERSISTENCE);
            expect(CompletionOpcode.RDMA_WRITE, CompletionOpcode.FLUSH, CompletionOpcode.FLUSH, CompletionOpcode.FLUSH);
            assertArrayEquals(data, Arrays.copyOfRange(Files.readAllBytes(file), 100, 4196));
            remote.close();
        }
    }

    @Test
    void shouldRefuseToRegisterMemoryAsPersistentThatIsNot() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(64);
            RdmaException refused = assertThrows(RdmaException.class, () -> pair.right.pd.register(memory, KEPT));
            assertEquals(Errno.EINVAL, refused.errno());
        }
        assertThrows(RdmaException.class, () -> pair.right.pd.allocate(64, KEPT));
    }

    @Test
    void shouldFailWhenTheRegionDoesNotAllowTheType() {
        flush(1, pair.right.memory, 0, 64, FlushType.GLOBAL_VISIBILITY, FlushType.PERSISTENCE);
        pair.expect(pair.left, 1);
        assertEquals(List.of(CompletionStatus.REMOTE_ACCESS_ERROR), pair.left.statuses());
    }

    @Test
    void shouldRefuseAtPostWhatCanOnlyBeAMistake() {
        MemoryRegion remote = pair.right.memory;
        var typeless = pair.left.request(1).flush(remote.address(), remote.rkey(), 8);
        assertThrows(BadRequestException.class, () -> pair.left.qp.post(typeless));
        var long33 = pair.left.request(1).flush(0, 1, (1L << 31) + 1, FlushType.GLOBAL_VISIBILITY);
        assertThrows(BadRequestException.class, () -> pair.left.qp.post(long33));
        var nine = pair.left
                .request(1)
                .atomicWrite(remote.address(), remote.rkey())
                .from(pair.left.memory, 0, 9);
        assertThrows(BadRequestException.class, () -> pair.left.qp.post(nine));
        var unaligned = pair.left
                .request(1)
                .atomicWrite(remote.address() + 1, remote.rkey())
                .from(pair.left.memory, 0, 8);
        assertThrows(BadRequestException.class, () -> pair.left.qp.post(unaligned));
    }

    @Test
    void shouldAskAgainWhenTheAnswersAreLost() {
        pair.left.word(0, 0x0102_0304_0506_0708L);
        pair.right.tap.lose(2, Opcode.RC_RDMA_READ_RESPONSE_ONLY);
        atomicWrite(1, 0, 8);
        flush(2, pair.right.memory, 0, 64, FlushType.GLOBAL_VISIBILITY);
        expect(CompletionOpcode.ATOMIC_WRITE, CompletionOpcode.FLUSH);
        assertEquals(0x0102_0304_0506_0708L, pair.right.word(8), "copied as it is");
        assertEquals(2, pair.left.tap.count(Opcode.RC_ATOMIC_WRITE));
    }

    @Test
    void shouldHoldAFencedRequestUntilTheFlushIsAnswered() {
        pair.right.tap.lose(1, Opcode.RC_RDMA_READ_RESPONSE_ONLY);
        flush(1, pair.right.memory, 0, 64, FlushType.GLOBAL_VISIBILITY);
        pair.left.post(pair.left
                .request(2)
                .write(pair.right.memory.remote())
                .from(pair.left.memory, 0, 8)
                .fenced());
        pair.run(Duration.ofMillis(10));
        assertEquals(0, pair.left.tap.count(Opcode.RC_RDMA_WRITE_ONLY));
        expect(CompletionOpcode.FLUSH, CompletionOpcode.RDMA_WRITE);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void shouldKeepTheOrderOfWritesWhenTheNetworkMisbehaves(long seed) {
        pair.faults(
                FaultPlan.none().withSeed(seed).withLoss(0.1).withDuplicate(0.2).withReorder(0.1));
        int rounds = 20;
        for (int i = 0; i < rounds; i++) {
            pair.left.word(8L * i, i + 1);
            atomicWrite(3 * i, 8L * i, 0);
            flush(3 * i + 1, pair.right.memory, 0, 8, FlushType.GLOBAL_VISIBILITY);
            pair.left.read(3 * i + 2, 0, 8, 4096 + 8L * i);
        }
        assertTrue(
                pair.await(pair.left, 3 * rounds, Duration.ofSeconds(600)),
                () -> pair.left.context.counters().toString());
        assertTrue(pair.left.statuses().stream().allMatch(CompletionStatus.SUCCESS::equals));
        assertEquals(rounds, pair.right.word(0), "seed " + seed);
        for (int i = 0; i < rounds; i++) {
            assertTrue(pair.left.word(4096 + 8L * i) >= i + 1, "a read behind the write saw it, seed " + seed);
        }
    }
}
