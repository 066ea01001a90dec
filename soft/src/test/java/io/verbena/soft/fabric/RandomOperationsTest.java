package io.verbena.soft.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.fault.FaultPlan;
import io.verbena.soft.rig.SimulatedPair;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.RemoteBuffer;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Mtu;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Random operations in both directions at once over links with faults, against plain arrays. More seeds:
/// `-Dverbena.test.seeds=100`; from another seed on: `-Dverbena.test.seed=42`.
class RandomOperationsTest {
    private static final int SEEDS = Integer.getInteger("verbena.test.seeds", 2);
    private static final long FIRST_SEED = Long.getLong("verbena.test.seed", 1000);
    private static final int OPERATIONS = 120;
    /// A region has four parts: what SENDs, WRITEs and READs take from, and where receives, WRITEs and READs
    /// arrive.
    private static final int PART = 64 * 1024;

    private static final int SOURCE = 0;
    private static final int RECEIVED = PART;
    private static final int WRITTEN = 2 * PART;
    private static final int READ = 3 * PART;
    private static final int RECEIVE_SLOTS = 16;
    private static final int SLOT_BYTES = PART / RECEIVE_SLOTS;

    static Stream<Arguments> faults() {
        Stream.Builder<Arguments> cases = Stream.builder();
        for (int i = 0; i < SEEDS; i++) {
            long seed = FIRST_SEED + i;
            for (double p : new double[] {0, 0.001, 0.01, 0.05, 0.2}) {
                FaultPlan none = FaultPlan.none().withSeed(seed);
                cases.add(Arguments.of(seed, none.withLoss(p)));
                cases.add(Arguments.of(seed, none.withDuplicate(p)));
                cases.add(Arguments.of(seed, none.withReorder(p)));
                cases.add(Arguments.of(seed, none.withCorrupt(p)));
                cases.add(Arguments.of(seed, none.withDelay(Duration.ZERO, Duration.ofNanos((long) (p * 10_000_000)))));
            }
            cases.add(Arguments.of(
                    seed,
                    FaultPlan.none()
                            .withSeed(seed)
                            .withLoss(0.02)
                            .withDuplicate(0.02)
                            .withReorder(0.02)
                            .withCorrupt(0.02)
                            .withDelay(Duration.ZERO, Duration.ofMillis(1))));
        }
        return cases.build();
    }

    @ParameterizedTest(name = "seed {0}, {1}")
    @MethodSource("faults")
    void shouldMatchTheModelWhenTheNetworkMisbehaves(long seed, FaultPlan plan) {
        Random random = new Random(seed);
        Mtu mtu = Mtu.values()[random.nextInt(5)];
        String run = "seed " + seed + ", MTU " + mtu.bytes() + ", " + plan;
        try (SimulatedPair pair = new SimulatedPair(seed, 4 * PART).connect(mtu)) {
            pair.faults(plan);
            Program left = new Program(pair.left, pair.right, random, mtu.bytes());
            Program right = new Program(pair.right, pair.left, random, mtu.bytes());
            left.other = right;
            right.other = left;
            left.postReceives();
            right.postReceives();
            boolean done = pair.fabric.runUntil(
                    () -> {
                        left.step(run);
                        right.step(run);
                        return left.isDone() && right.isDone();
                    },
                    Duration.ofSeconds(600));
            assertTrue(done, run + ": left " + left + ", right " + right);
            left.verify(run);
            right.verify(run);
            assertEquals(0, pair.left.counter("faults inside the engine"), run);
            assertEquals(0, pair.right.counter("faults inside the engine"), run);
        }
    }

    /// One side's program: posts random operations to its peer, and keeps the model of what its own memory must
    /// hold.
    private static final class Program {
        final SimulatedPair.Side self;
        final SimulatedPair.Side peer;
        final Random random;
        final int mtu;
        final byte[] model = new byte[4 * PART];
        Program other;
        int posted;
        int completed;
        int received;
        int seen;
        /// The messages that the peer will send, in order.
        final ArrayDeque<byte[]> expected = new ArrayDeque<>();

        Program(SimulatedPair.Side self, SimulatedPair.Side peer, Random random, int mtu) {
            this.self = self;
            this.peer = peer;
            this.random = random;
            this.mtu = mtu;
            byte[] source = new byte[PART];
            random.nextBytes(source);
            System.arraycopy(source, 0, model, SOURCE, PART);
            copyToMemory(self.memory, SOURCE, source);
        }

        private static void copyToMemory(MemoryRegion region, int at, byte[] bytes) {
            MemorySegment.copy(bytes, 0, region.memory(), ValueLayout.JAVA_BYTE, at, bytes.length);
        }

        boolean isDone() {
            return completed == OPERATIONS && other.expected.isEmpty();
        }

        void postReceives() {
            for (int slot = 0; slot < RECEIVE_SLOTS; slot++) {
                postReceive(slot);
            }
        }

        private void postReceive(int slot) {
            assertTrue(self.qp.post(self.qp
                    .newReceiveRequest()
                    .wrId(slot)
                    .into(self.memory, RECEIVED + slot * SLOT_BYTES, SLOT_BYTES)));
        }

        void step(String run) {
            self.poll();
            for (; seen < self.completions.size(); seen++) {
                onCompletion(self.completions.get(seen), run);
            }
            // When no operation is in flight, one must be posted: otherwise nothing happens until the timeout.
            while (posted < OPERATIONS && posted - completed < 8 && (posted == completed || random.nextInt(4) > 0)) {
                post();
            }
        }

        private void onCompletion(WorkCompletion completion, String run) {
            assertEquals(
                    CompletionStatus.SUCCESS,
                    completion.status(),
                    () -> run + ": " + completion + ", here " + this + ", there " + other);
            if (!completion.opcode().isReceive()) {
                assertEquals(completed, completion.wrId(), run + ": completions in posting order");
                completed++;
                return;
            }
            byte[] message = expected.poll();
            assertTrue(message != null, run + ": a message nobody sent");
            if (message.length > 0 && completion.opcode().code() == 128) {
                int at = RECEIVED + (int) completion.wrId() * SLOT_BYTES;
                for (int i = 0; i < message.length; i++) {
                    assertEquals(
                            message[i], self.memory.memory().get(ValueLayout.JAVA_BYTE, at + i), run + ": byte " + i);
                }
            }
            assertEquals(message.length, completion.byteLength(), run);
            received++;
            postReceive((int) completion.wrId());
        }

        private void post() {
            Program target = other;
            RemoteBuffer remote = peer.memory.remote();
            SendRequest request = self.qp.newSendRequest().wrId(posted).signaled();
            int kind = random.nextInt(5);
            int length = length(kind < 2 ? SLOT_BYTES : PART);
            int from = random.nextInt(PART - length + 1);
            int to = random.nextInt(PART - length + 1);
            byte[] bytes = Arrays.copyOfRange(model, SOURCE + from, SOURCE + from + length);
            switch (kind) {
                case 0, 1 -> {
                    int immediate = random.nextInt();
                    (kind == 0 ? request.send() : request.sendWithImmediate(immediate))
                            .from(self.memory, SOURCE + from, length / 2)
                            .and(self.memory, SOURCE + from + length / 2, length - length / 2);
                    target.expected.add(bytes);
                }
                case 2, 3 -> {
                    long at = remote.address() + WRITTEN + to;
                    (kind == 2 ? request.write(at, remote.rkey()) : request.writeWithImmediate(at, remote.rkey(), 7))
                            .from(self.memory, SOURCE + from, length);
                    System.arraycopy(bytes, 0, target.model, WRITTEN + to, length);
                    if (kind == 3) {
                        target.expected.add(bytes);
                    }
                }
                default -> {
                    request.read(remote.address() + SOURCE + from, remote.rkey())
                            .into(self.memory, READ + to, length);
                    System.arraycopy(target.model, SOURCE + from, model, READ + to, length);
                }
            }
            assertTrue(self.qp.post(request));
            posted++;
        }

        /// Sizes around every boundary.
        private int length(int most) {
            int length = switch (random.nextInt(6)) {
                case 0 -> random.nextInt(3);
                case 1 -> mtu + random.nextInt(-1, 2);
                case 2 -> mtu * random.nextInt(1, 5) + random.nextInt(-1, 2);
                case 3 -> random.nextInt(most + 1);
                default -> random.nextInt(2 * mtu);
            };
            return Math.clamp(length, 0, most);
        }

        void verify(String run) {
            for (int part : new int[] {SOURCE, WRITTEN, READ}) {
                for (int i = part; i < part + PART; i++) {
                    assertEquals(model[i], self.memory.memory().get(ValueLayout.JAVA_BYTE, i), run + ": byte " + i);
                }
            }
        }

        @Override
        public String toString() {
            return "posted %d, completed %d, received %d, still expects %d, %s"
                    .formatted(posted, completed, received, expected.size(), self.context.counters());
        }
    }
}
