package io.verbena.soft.qp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.rig.SimulatedLocalPair;
import io.verbena.verbs.attr.CompletionStatus;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Streams so long that the ring position exceeds the 32 bits of a piggybacked acknowledgement.
@EnabledOnOs(OS.LINUX)
class LocalLongStreamTest {
    private static final long SIGN_CHANGES = (1L << 31) - 100;
    private static final long BEGINS_ANEW = (1L << 32) - 100;

    private static final int BATCH = 50;
    private static final int BATCHES = 60;

    private final SimulatedLocalPair host = new SimulatedLocalPair(4096).connect();
    private final SimulatedLocalPair.Side left = host.left;
    private final SimulatedLocalPair.Side right = host.right;

    @AfterEach
    void close() {
        host.close();
    }

    private static Field field(Class<?> of, String name) throws ReflectiveOperationException {
        Field field = of.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    private static void set(Object object, String name, long value) throws ReflectiveOperationException {
        field(object.getClass(), name).setLong(object, value);
    }

    private static LocalPath path(SimulatedLocalPair.Side side) throws ReflectiveOperationException {
        return ((TransportService) field(SoftQueuePair.class, "service").get(side.qp)).localPath();
    }

    /// Sets both ends of an empty lane as if that many cells had been used.
    private static void pretend(SimulatedLocalPair.Side from, SimulatedLocalPair.Side to, long cells)
            throws ReflectiveOperationException {
        Object writer = path(from).lanes().peerLane().requests();
        set(writer, "tail", cells);
        set(writer, "consumed", cells);
        set(path(to).lanes().ownLane().requests(), "head", cells);
        Object responder = field(LocalPath.class, "responder").get(path(to));
        for (String name : List.of("executed", "acknowledged", "published")) {
            set(responder, name, cells);
        }
        path(to).lanes().ownLane().publishExecuted(cells);
    }

    /// Sends from one side to the other until each request has succeeded.
    private void send(SimulatedLocalPair.Side from, SimulatedLocalPair.Side to, int count) {
        for (int i = 0; i < count; i++) {
            to.receive(i, 0, 100);
            from.send(i, 0, i % 100);
        }
        host.expect(from, count);
        host.expect(to, count);
        assertTrue(from.statuses().stream().allMatch(CompletionStatus.SUCCESS::equals), from.completions::toString);
        assertEquals(count, from.completions.size());
        from.completions.clear();
        to.completions.clear();
    }

    @ParameterizedTest
    @ValueSource(longs = {SIGN_CHANGES, BEGINS_ANEW})
    void shouldCompleteAllWhenThePeerNeverSendsAnything(long start) throws ReflectiveOperationException {
        pretend(left, right, start);
        for (int i = 0; i < BATCHES; i++) {
            send(left, right, BATCH);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {SIGN_CHANGES, BEGINS_ANEW})
    void shouldCompleteAllWhenThePeersLastMessageIsLongAgo(long start) throws ReflectiveOperationException {
        send(left, right, 3);
        send(right, left, 3);
        send(left, right, 3);
        // The ring is empty, and its next cell keeps its index: only whole rounds are added.
        long rounds = start & -2048;
        long tail = path(left).lanes().peerLane().requests().tail();
        pretend(left, right, rounds + tail);
        for (int i = 0; i < BATCHES; i++) {
            send(left, right, BATCH);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {SIGN_CHANGES, BEGINS_ANEW})
    void shouldCompleteAllWhenBothSidesSend(long start) throws ReflectiveOperationException {
        pretend(left, right, start);
        pretend(right, left, start);
        for (int i = 0; i < BATCHES; i++) {
            send(left, right, BATCH);
            send(right, left, BATCH);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {SIGN_CHANGES, BEGINS_ANEW})
    void shouldCompleteNothingThatThePeerHasNotTaken(long start) throws ReflectiveOperationException {
        pretend(left, right, start);
        right.standStill(true);
        for (int i = 0; i < BATCH; i++) {
            right.receive(i, 0, 100);
            left.send(i, 0, 100);
            host.run(Duration.ofNanos(10));
            assertEquals(List.of(), left.statuses());
        }
        right.standStill(false);
        host.expect(left, BATCH);
        assertTrue(left.statuses().stream().allMatch(CompletionStatus.SUCCESS::equals));
    }
}
