package io.verbena.soft.qp;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.rig.End;
import io.verbena.soft.rig.OneHost;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.QueuePairType;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Two peers stream into one completion queue whose program takes little at a time.
@EnabledOnOs(OS.LINUX)
class LocalFairnessTest {
    private static final int PSN = 7;
    private static final int DEPTH = 32;

    /// A stream that never runs dry: each message that was taken is followed by another.
    private record Stream(OneHost host, QueuePair from, QueuePair to) {
        static Stream open(OneHost host, CompletionQueue receives) {
            CompletionQueue sends = host.right.context.createCompletionQueue(DEPTH);
            QueuePair from = host.left.pd.createQueuePair(
                    QueuePairOptions.rc(host.left.cq).sendRequests(4 * DEPTH));
            QueuePair to = host.right.pd.createQueuePair(
                    QueuePairOptions.of(QueuePairType.RC, sends, receives).receiveRequests(4 * DEPTH));
            connect(from, to, host.right);
            connect(to, from, host.left);
            return new Stream(host, from, to);
        }

        private static void connect(QueuePair qp, QueuePair to, End at) {
            End.initialise(qp);
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
        try (OneHost host = new OneHost(4096)) {
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
}
