package io.verbena.soft.qp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.rig.ConnectionEnd;
import io.verbena.soft.rig.GuardedMemory;
import io.verbena.soft.rig.SimulatedLocalPair;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.QueuePairType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Two peers stream into one completion queue whose program polls few completions at a time.
@EnabledOnOs(OS.LINUX)
class LocalFairnessTest {
    private static final int PSN = 7;
    private static final int DEPTH = 32;

    /// An endless stream: each received message is followed by another.
    private record Stream(SimulatedLocalPair host, QueuePair from, QueuePair to) {
        static Stream open(SimulatedLocalPair host, CompletionQueue receives) {
            CompletionQueue sends = host.right.context.createCompletionQueue(DEPTH);
            QueuePair from = host.left.pd.createQueuePair(
                    QueuePairOptions.rc(host.left.cq).sendRequests(4 * DEPTH));
            QueuePair to = host.right.pd.createQueuePair(
                    QueuePairOptions.of(QueuePairType.RC, sends, receives).receiveRequests(4 * DEPTH));
            connect(from, to, host.right);
            connect(to, from, host.left);
            return new Stream(host, from, to);
        }

        private static void connect(QueuePair qp, QueuePair to, ConnectionEnd at) {
            ConnectionEnd.initialise(qp);
            qp.modify(QueuePairChange.toRtr(AddressVector.to(at.address), to.number(), PSN));
            qp.modify(QueuePairChange.toRts(PSN));
        }

        void send() {
            assertTrue(to.post(to.newReceiveRequest().into(host.right.memory, 0, 8)));
            assertTrue(from.post(from.newSendRequest().send().from(host.left.memory, 0, 8)));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 16})
    void shouldServeBothStreamsWhenThePollsAreLimited(int limit) {
        try (SimulatedLocalPair host = new SimulatedLocalPair(4096)) {
            CompletionQueue receives = host.right.context.createCompletionQueue(4 * DEPTH);
            Map<Integer, Stream> streams = new HashMap<>();
            Map<Integer, Integer> taken = new HashMap<>();
            for (int i = 0; i < 2; i++) {
                Stream stream = Stream.open(host, receives);
                streams.put(stream.to().number(), stream);
                taken.put(stream.to().number(), 0);
            }
            host.run(Duration.ofNanos(1));
            for (Stream stream : streams.values()) {
                for (int i = 0; i < DEPTH; i++) {
                    stream.send();
                }
            }
            int all = 0;
            for (int i = 0; i < 400; i++) {
                int n = receives.poll(
                        completion -> {
                            taken.merge(completion.qpNumber(), 1, Integer::sum);
                            streams.get(completion.qpNumber()).send();
                        },
                        limit);
                assertTrue(n <= limit);
                all += n;
            }
            int total = all;
            assertTrue(total >= 400, () -> total + " of " + taken);
            assertTrue(taken.values().stream().allMatch(count -> count >= total / 4), taken::toString);
        }
    }

    /// The right side copies long WRITEs itself. They have no completion, so a poll could continue for all of them.
    @Test
    void shouldComeBackFromAPollWhileANeighbourWritesMuch() {
        int writes = 30;
        int bytes = 1 << 19;
        try (SimulatedLocalPair host = new SimulatedLocalPair(bytes).connect()) {
            GuardedMemory target = host.right.privateMemory(writes * bytes);
            host.left.fill(0, bytes, 1);
            host.right.standStill(true);
            for (int i = 0; i < writes; i++) {
                host.left.post(host.left
                        .request(i)
                        .write(target.address() + (long) i * bytes, target.rkey())
                        .from(host.left.memory, 0, bytes));
            }
            byte untouched = target.bytes(0, 1)[0];
            host.right.poll();
            long done = IntStream.range(0, writes)
                    .filter(i -> target.bytes((long) i * bytes, 1)[0] != untouched)
                    .count();
            assertTrue(done > 0 && done < writes / 2, done + " of " + writes);
            host.right.standStill(false);
            host.expect(host.left, writes);
        }
    }

    /// A program that gets single messages finds each at once, without a search for a second one.
    @Test
    void shouldTakeAStreamInGrowingBatchesAndSingleMessagesAlone() {
        try (SimulatedLocalPair host = new SimulatedLocalPair(4096)) {
            CompletionQueue receives = host.right.context.createCompletionQueue(8 * DEPTH);
            Stream stream = Stream.open(host, receives);
            host.run(Duration.ofNanos(1));
            List<Integer> batches = new ArrayList<>();
            for (int i = 0; i < 2 * DEPTH; i++) {
                stream.send();
            }
            for (int left = 2 * DEPTH; left > 0; left -= batches.getLast()) {
                batches.add(receives.poll(completion -> {}, DEPTH));
            }
            assertEquals(List.of(1, 2, 4, 8, 16, 32), batches.subList(0, 6), batches::toString);
            assertEquals(0, receives.poll(completion -> {}, DEPTH));
            stream.send();
            stream.send();
            assertEquals(1, receives.poll(completion -> {}, DEPTH), "the first after a pause");
        }
    }
}
