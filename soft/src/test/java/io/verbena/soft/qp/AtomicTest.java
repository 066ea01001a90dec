package io.verbena.soft.qp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.Psn;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.fault.FaultPlan;
import io.verbena.soft.rig.SimulatedPair;
import io.verbena.soft.rig.Tap;
import io.verbena.verbs.BadRequestException;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionOpcode;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.attr.QueuePairState;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Atomics between two devices: each is executed once, whatever the network does with it or with its response.
class AtomicTest {
    private static final int MTU = 256;
    private static final int FIRST = SimulatedPair.LEFT_PSN;
    private static final int INTO = 4096;

    private SimulatedPair pair = pair(16);

    private static SimulatedPair pair(int atomics) {
        return new SimulatedPair(1, 64 * 1024)
                .receiving(rtr -> rtr.maxDestinationReadAtomic(atomics))
                .sending(rts -> rts.maxReadAtomic(atomics))
                .connect(Mtu.MTU_256);
    }

    private void atomics(int atomics) {
        pair.close();
        pair = pair(atomics);
    }

    @AfterEach
    void close() {
        assertEquals(0, pair.left.counter(Counter.ENGINE_FAULTS));
        assertEquals(0, pair.right.counter(Counter.ENGINE_FAULTS));
        pair.close();
    }

    private static int psn(int after) {
        return Psn.add(FIRST, after);
    }

    private void expectSuccess(int completions) {
        pair.expect(pair.left, completions);
        assertTrue(
                pair.left.statuses().stream().allMatch(CompletionStatus.SUCCESS::equals),
                () -> pair.left.completions.toString());
    }

    private int requests() {
        return pair.left.tap.count(Opcode.RC_FETCH_ADD) + pair.left.tap.count(Opcode.RC_COMPARE_SWAP);
    }

    @Test
    void shouldTellWhatWasThereInTheOrderOfBytesOfThisHost() {
        pair.right.word(8, 0x0102_0304_0506_0708L);
        pair.left.add(1, 8, 0x10, INTO);
        pair.left.swap(2, 8, 0x0102_0304_0506_0718L, -1, INTO + 8);
        pair.left.swap(3, 8, 5, 6, INTO + 16);
        expectSuccess(3);
        assertEquals(0x0102_0304_0506_0708L, pair.left.word(INTO));
        assertEquals(0x0102_0304_0506_0718L, pair.left.word(INTO + 8));
        assertEquals(-1, pair.left.word(INTO + 16));
        assertEquals(-1, pair.right.word(8), "what was not as expected stays");
        assertEquals(
                List.of(
                        CompletionOpcode.FETCH_AND_ADD,
                        CompletionOpcode.COMPARE_AND_SWAP,
                        CompletionOpcode.COMPARE_AND_SWAP),
                pair.left.completions.stream().map(c -> c.opcode()).toList());
        assertEquals(8, pair.left.completions.getFirst().byteLength());
    }

    @Test
    void shouldPutOperandsIntoTheRequestAsBigEndianNumbers() {
        pair.left.swap(1, 16, 0x0102_0304_0506_0708L, 0x1112_1314_1516_1718L, INTO);
        pair.left.add(2, 16, 0x2122_2324_2526_2728L, INTO);
        expectSuccess(2);
        String target = "%016x%08x".formatted(pair.right.memory.address() + 16, pair.right.memory.rkey());
        assertEquals(target + "1112131415161718" + "0102030405060708", header(Opcode.RC_COMPARE_SWAP));
        assertEquals(target + "2122232425262728" + "0000000000000000", header(Opcode.RC_FETCH_ADD));
    }

    private String header(Opcode opcode) {
        return HexFormat.of().formatHex(pair.left.tap.frames(opcode).getFirst().bytes(), 12, 40);
    }

    @Test
    void shouldCarryOutOnceWhenTheAnswerIsLost() {
        pair.right.word(0, 100);
        pair.right.tap.lose(1, Opcode.RC_ATOMIC_ACKNOWLEDGE);
        pair.left.add(1, 0, 1, INTO);
        expectSuccess(1);
        assertEquals(100, pair.left.word(INTO), "the answer of the first time");
        assertEquals(101, pair.right.word(0));
        assertEquals(2, requests());
        assertEquals(1, pair.right.counter(Counter.DUPLICATE_REQUESTS));
    }

    @Test
    void shouldAskAgainWhenALaterAcknowledgementShowsThatTheAnswerWasLost() {
        pair.right.tap.lose(1, Opcode.RC_ATOMIC_ACKNOWLEDGE);
        pair.left.add(1, 0, 7, INTO);
        pair.left.write(2, 1024, 10, 1024);
        pair.expect(pair.left, 2);
        assertEquals(List.of(1L, 2L), pair.left.wrIds());
        assertEquals(7, pair.right.word(0));
        assertEquals(1, pair.left.counter(Counter.LOST_READ_RESPONSES));
        assertEquals(0, pair.left.counter(Counter.ACK_TIMEOUTS));
    }

    @Test
    void shouldKnowTheAnswerAfterTheLimitOfAtomicsHasChanged() {
        pair.right.word(0, 100);
        pair.right.tap.lose(1, Opcode.RC_ATOMIC_ACKNOWLEDGE);
        pair.left.add(1, 0, 1, INTO);
        pair.run(Duration.ofMillis(1));
        assertEquals(101, pair.right.word(0));
        pair.right.qp.modify(QueuePairChange.to(QueuePairState.SQD));
        pair.right.qp.modify(QueuePairChange.to(QueuePairState.SQD).maxDestinationReadAtomic(32));
        pair.left.add(2, 0, 1, INTO + 8);
        expectSuccess(2);
        assertEquals(100, pair.left.word(INTO));
        assertEquals(101, pair.left.word(INTO + 8));
        assertEquals(102, pair.right.word(0));
    }

    @Test
    void shouldAnswerReadsAndAtomicsInTheOrderOfTheirRequests() {
        pair.left.read(1, 0, 3 * MTU, INTO);
        pair.left.add(2, 0, 1, INTO + 4 * MTU);
        pair.left.read(3, 0, MTU, INTO + 5 * MTU);
        pair.left.write(4, 0, 4, 1024);
        expectSuccess(4);
        assertEquals(
                List.of(psn(0), psn(1), psn(2), psn(3), psn(4), psn(5)),
                pair.right.tap.frames().stream().map(Tap.Frame::psn).toList());
        assertEquals(
                psn(3),
                pair.right.tap.frames(Opcode.RC_ATOMIC_ACKNOWLEDGE).getFirst().psn());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 16})
    void shouldShareTheLimitWithReads(int most) {
        atomics(most);
        pair.right.tap.loseEverything();
        for (int i = 0; i < 20; i++) {
            if (i % 2 == 0) {
                pair.left.add(i, 0, 1, INTO + i * 8L);
            } else {
                pair.left.read(i, 0, 8, INTO + i * 8L);
            }
        }
        pair.run(Duration.ofMillis(60));
        assertEquals(Math.min(most, 20), requests() + pair.left.tap.count(Opcode.RC_RDMA_READ_REQUEST));
        pair.right.tap.loseNothing();
        expectSuccess(20);
        assertEquals(10, pair.right.word(0));
    }

    @Test
    void shouldHoldAFencedRequestUntilTheAtomicIsAnswered() {
        pair.right.tap.lose(1, Opcode.RC_ATOMIC_ACKNOWLEDGE);
        pair.right.word(0, 4711);
        pair.left.add(1, 0, 1, INTO);
        pair.left.post(pair.left
                .request(2)
                .write(pair.right.memory.address() + 1024, pair.right.memory.rkey())
                .from(pair.left.memory, INTO, 8)
                .fenced());
        pair.run(Duration.ofMillis(10));
        assertEquals(0, pair.left.tap.count(Opcode.RC_RDMA_WRITE_ONLY));
        expectSuccess(2);
        assertEquals(4711, pair.right.word(1024));
    }

    /// A loss rate low enough that eight tries in a row are not lost: a single packet that is reordered waits for the
    /// next one.
    static Stream<Arguments> faults() {
        Stream.Builder<Arguments> cases = Stream.builder();
        for (long seed = 1; seed <= Integer.getInteger("verbena.test.seeds", 2); seed++) {
            FaultPlan none = FaultPlan.none().withSeed(seed);
            for (int most : new int[] {1, 3, 16}) {
                cases.add(Arguments.of(seed, most, none.withLoss(0.1)));
                cases.add(Arguments.of(seed, most, none.withDuplicate(0.3)));
                cases.add(Arguments.of(seed, most, none.withReorder(0.1)));
                cases.add(Arguments.of(
                        seed,
                        most,
                        none.withLoss(0.03).withDuplicate(0.1).withReorder(0.05).withCorrupt(0.02)));
            }
        }
        return cases.build();
    }

    /// Each request must find what the one before it left: one that ran twice, or not at all, shows in all
    /// that follow.
    @ParameterizedTest(name = "seed {0}, {1} at a time, {2}")
    @MethodSource("faults")
    void shouldCarryOutEachOnceWhenTheNetworkMisbehaves(long seed, int most, FaultPlan plan) {
        atomics(most);
        pair.faults(plan);
        Random random = new Random(seed);
        int rounds = 60;
        long[] found = new long[rounds];
        long word = 0;
        for (int i = 0; i < rounds; i++) {
            found[i] = word;
            long into = INTO + 8L * i;
            switch (random.nextInt(4)) {
                case 0 -> {
                    pair.left.swap(i, 0, word, word * 31 + i, into);
                    word = word * 31 + i;
                }
                case 1 -> pair.left.swap(i, 0, word + 1, -5, into);
                case 2 -> {
                    pair.left.write(1000 + i, 2048, 2 * MTU, 2048);
                    pair.left.add(i, 0, i + 1, into);
                    word += i + 1;
                }
                default -> {
                    pair.left.read(1000 + i, 2048, 3 * MTU, 2048);
                    pair.left.add(i, 0, i + 1, into);
                    word += i + 1;
                }
            }
            if (i % 20 == 19) {
                runUntilAllComplete();
            }
        }
        runUntilAllComplete();
        for (int i = 0; i < rounds; i++) {
            assertEquals(found[i], pair.left.word(INTO + 8L * i), "request " + i + ", seed " + seed + ", " + plan);
        }
        assertEquals(word, pair.right.word(0), "seed " + seed + ", " + plan);
        assertEquals(QueuePairState.RTS, pair.left.qp.state());
    }

    /// Runs until all posted requests have completed.
    private void runUntilAllComplete() {
        int posted = pair.left.posted();
        assertTrue(
                pair.await(pair.left, posted, Duration.ofSeconds(600)),
                () -> pair.left.completions.size() + " of " + posted + ", " + pair.left.context.counters());
        assertTrue(
                pair.left.statuses().stream().allMatch(CompletionStatus.SUCCESS::equals),
                () -> pair.left.completions.getLast() + ", left " + pair.left.context.counters() + ", right "
                        + pair.right.context.counters());
    }

    @Test
    void shouldRefuseAtPostWhatCanOnlyBeAMistake() {
        MemoryRegion remote = pair.right.memory;
        var short7 = pair.left
                .request(1)
                .fetchAndAdd(remote.address(), remote.rkey(), 1)
                .into(pair.left.memory, 0, 7);
        assertThrows(BadRequestException.class, () -> pair.left.qp.post(short7));
        var unaligned = pair.left
                .request(1)
                .compareAndSwap(remote.address() + 4, remote.rkey(), 1, 2)
                .into(pair.left.memory, 0, 8);
        assertThrows(BadRequestException.class, () -> pair.left.qp.post(unaligned));
        assertEquals(QueuePairState.RTS, pair.left.qp.state());
    }

    @Test
    void shouldUseNoMoreThanEightBytesOfALargerBuffer() {
        byte[] before = pair.left.fill(INTO, 64, 5);
        pair.right.word(0, 3);
        MemoryRegion remote = pair.right.memory;
        pair.left.post(pair.left
                .request(1)
                .fetchAndAdd(remote.address(), remote.rkey(), 1)
                .into(pair.left.memory, INTO, 4)
                .and(pair.left.memory, INTO + 32, 16));
        expectSuccess(1);
        byte[] after = pair.left.bytes(INTO, 64);
        byte[] expected = before.clone();
        byte[] three = pair.right.bytes(0, 8);
        three[0] = 3;
        System.arraycopy(three, 0, expected, 0, 4);
        System.arraycopy(three, 4, expected, 32, 4);
        assertArrayEquals(expected, after);
    }

    @Test
    void shouldFailWithoutARequestWhenTheAnswerCouldNotBePlaced() {
        MemoryRegion readOnly = pair.left.pd.allocate(64, Access.REMOTE_READ);
        MemoryRegion remote = pair.right.memory;
        pair.left.post(pair.left
                .request(1)
                .fetchAndAdd(remote.address(), remote.rkey(), 1)
                .into(readOnly, 0, 8));
        pair.expect(pair.left, 1);
        assertEquals(List.of(CompletionStatus.LOCAL_PROTECTION_ERROR), pair.left.statuses());
        assertEquals(0, requests());
        assertEquals(0, pair.right.word(0));
    }
}
