package io.verbena.soft.cq;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.engine.Counter;
import io.verbena.soft.rig.SimulatedLocalPair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.WorkCompletionHandler;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// Completions that a poll takes from a lane in one go, and handlers that do not let it come to its end.
@EnabledOnOs(OS.LINUX)
class LocalBatchTest {
    private static final int MESSAGES = 60;
    /// Polls until a poll takes many: each takes twice as many as the one before.
    private static final int SMALL_POLLS = 1 + 2 + 4 + 8;

    private final SimulatedLocalPair host = new SimulatedLocalPair(4096);
    private final List<Long> seen = new ArrayList<>();

    /// Only polls take messages: the engine of the receiver stands still.
    @BeforeEach
    void sendMany() {
        host.connect();
        for (int i = 0; i < MESSAGES; i++) {
            host.right.receive(i, 0, 16);
        }
        host.right.standStill(true);
        for (int i = 0; i < MESSAGES; i++) {
            host.left.post(
                    host.left.request(i).send().from(host.left.memory, 0, 16).unsignaled());
        }
        while (seen.size() < SMALL_POLLS) {
            poll(completion -> seen.add(completion.wrId()), MESSAGES);
        }
    }

    @AfterEach
    void close() {
        assertEquals(0, host.right.counter(Counter.ENGINE_FAULTS));
        host.close();
    }

    private int poll(WorkCompletionHandler handler, int limit) {
        return host.right.cq.poll(handler, limit);
    }

    private void pollRest() {
        while (seen.size() < MESSAGES) {
            assertTrue(poll(completion -> seen.add(completion.wrId()), MESSAGES) > 0, seen::toString);
        }
    }

    private void assertAllInOrder() {
        assertEquals(LongStream.range(0, MESSAGES).boxed().toList(), seen);
    }

    @Test
    void shouldTakeNoMoreThanTheLimit() {
        for (int limit : new int[] {1, 3, 0, 16, 17}) {
            int before = seen.size();
            int n = poll(completion -> seen.add(completion.wrId()), limit);
            assertTrue(n <= limit && n == seen.size() - before, n + " of " + limit);
        }
        pollRest();
        assertAllInOrder();
    }

    @Test
    void shouldKeepTheRestWhenAHandlerThrows() {
        WorkCompletionHandler clumsy = completion -> {
            seen.add(completion.wrId());
            if (seen.size() % 5 == 0) {
                throw new IllegalArgumentException("clumsy");
            }
        };
        assertThrows(IllegalArgumentException.class, () -> poll(clumsy, MESSAGES));
        assertEquals(20, seen.size());
        assertEquals(2, poll(completion -> seen.add(completion.wrId()), 2), "what is left comes first");
        assertEquals(22, seen.size());
        pollRest();
        assertAllInOrder();
    }

    @Test
    void shouldKeepTheOrderWhenAHandlerPolls() {
        WorkCompletionHandler nested = completion -> {
            seen.add(completion.wrId());
            if (seen.size() == 17) {
                poll(inner -> seen.add(inner.wrId()), 3);
            } else if (seen.size() == 25) {
                poll(inner -> seen.add(inner.wrId()), MESSAGES);
            }
        };
        while (seen.size() < MESSAGES) {
            assertTrue(poll(nested, MESSAGES) > 0, seen::toString);
        }
        assertAllInOrder();
    }

    @Test
    void shouldDeliverWhatWasTakenBeforeTheFlushOfTheRest() {
        List<CompletionStatus> statuses = new ArrayList<>();
        WorkCompletionHandler failing = completion -> {
            seen.add(completion.wrId());
            statuses.add(completion.status());
            if (seen.size() == SMALL_POLLS + 1) {
                host.right.standStill(false);
                host.right.qp.modify(QueuePairChange.to(QueuePairState.ERR));
            }
        };
        while (seen.size() < MESSAGES) {
            assertTrue(poll(failing, MESSAGES) > 0, seen::toString);
        }
        assertAllInOrder();
        int flushedFrom = statuses.indexOf(CompletionStatus.WORK_REQUEST_FLUSHED);
        assertTrue(
                flushedFrom < 0
                        || statuses.subList(flushedFrom, statuses.size()).stream()
                                .allMatch(CompletionStatus.WORK_REQUEST_FLUSHED::equals),
                statuses::toString);
    }
}
