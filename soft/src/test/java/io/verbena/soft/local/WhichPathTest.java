package io.verbena.soft.local;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.OverSharedMemory;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.net.Loopback;
import io.verbena.soft.option.SoftPath;
import io.verbena.soft.option.SoftProperties;
import io.verbena.soft.rig.ConnectionEnd;
import io.verbena.verbs.Errno;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which path connections take, and that both ends take the same.
@EnabledOnOs(OS.LINUX)
class WhichPathTest implements OverSharedMemory {
    private SharedPair pair;

    @AfterEach
    void close() {
        System.setProperty(SoftProperties.PATH, "auto");
        System.clearProperty(SoftProperties.FAULTS);
        System.clearProperty(SoftProperties.CAPTURE);
        if (pair != null) {
            pair.close();
        }
    }

    /// Everything works between the two; how many messages went through shared memory.
    private long talk() {
        return talk(0);
    }

    private long talk(int before) {
        byte[] data = pair.left.fill(0, 50_000, 3);
        pair.right.receive(9, 100_000, 60_000);
        pair.left.send(1, 0, 50_000);
        pair.left.write(2, 0, 50_000, 200_000);
        pair.left.read(3, 200_000, 50_000, 300_000);
        pair.right.word(400_000, 40);
        pair.left.add(4, 400_000, 2, 400_000);
        assertTrue(pair.driveUntil(() -> pair.left.completions.size() >= before + 4), this::state);
        assertTrue(pair.left.statuses().stream().allMatch(s -> s == CompletionStatus.SUCCESS), this::state);
        assertArrayEquals(data, pair.right.bytes(100_000, 50_000));
        assertArrayEquals(data, pair.right.bytes(200_000, 50_000));
        assertArrayEquals(data, pair.left.bytes(300_000, 50_000));
        assertEquals(42, pair.right.word(400_000));
        assertEquals(40, pair.left.word(400_000));
        assertEquals(0, pair.faults());
        return pair.left.counter(Counter.SHARED_MESSAGES);
    }

    private String state() {
        return pair.left.statuses() + " " + pair.left.context.counters() + " " + pair.right.context.counters();
    }

    private void expectNetwork() {
        assertEquals(0, talk());
        assertNull(pair.left.context.counters().get(Counter.SHARED_MESSAGES.label()));
        assertTrue(SharedPair.packets(pair.left) > 4, this::state);
    }

    @Test
    void shouldSendNoPacketWhereMemoryIsShared() {
        pair = new SharedPair(SharedPair.PATIENT);
        assertEquals(4, talk());
        assertEquals(0, pair.packets(), this::state);
    }

    @Test
    void shouldUseTheNetworkWhenToldSo() {
        System.setProperty(SoftProperties.PATH, "udp");
        pair = new SharedPair(SharedPair.PATIENT);
        expectNetwork();
    }

    @ParameterizedTest
    @CsvSource({"AUTO,UDP", "UDP,AUTO"})
    void shouldUseTheNetworkWhenOneEndIsToldSo(SoftPath left, SoftPath right) {
        pair = SharedPair.told(left, right);
        pair.connect(SharedPair.PATIENT);
        expectNetwork();
    }

    @Test
    void shouldUseTheNetworkWherePacketsAreToBeSeenOrHarmed(@TempDir Path folder) {
        System.setProperty(SoftProperties.FAULTS, "loss=0.001");
        pair = new SharedPair(SharedPair.PATIENT);
        expectNetwork();
        pair.close();
        System.clearProperty(SoftProperties.FAULTS);
        System.setProperty(
                SoftProperties.CAPTURE, folder.resolve("of-%p-%a.pcap").toString());
        pair = new SharedPair(SharedPair.PATIENT);
        expectNetwork();
    }

    @Test
    void shouldSayWhyThereIsNoSharedMemoryWhenThatIsAMust() {
        pair = SharedPair.told(SoftPath.SHARED, SoftPath.UDP);
        RdmaException failure = assertThrows(RdmaException.class, () -> pair.connect(SharedPair.IMPATIENT));
        assertEquals(Errno.EHOSTUNREACH, failure.errno());
        assertTrue(failure.getMessage().contains("set verbena.soft.path to auto (--path auto)"), failure.getMessage());
    }

    @Test
    void shouldUseTheNetworkBetweenDifferentVersions() {
        pair = new SharedPair(Loopback.next(), Loopback.next());
        for (ConnectionEnd end : List.of(pair.left, pair.right)) {
            pair.page(end).set(ValueLayout.JAVA_LONG, DeviceLayout.MAGIC_AT, DeviceLayout.MAGIC + 1);
        }
        pair.connect(SharedPair.PATIENT);
        expectNetwork();
    }

    @Test
    void shouldUseTheNetworkOnBothEndsOfQueuePairThatHasNoPlace() {
        pair = new SharedPair(Loopback.next(), Loopback.next());
        // As if another queue pair had the slot.
        long at = DeviceLayout.queuePairAt(pair.right.qp.number());
        pair.page(pair.right).set(ValueLayout.JAVA_LONG, at, pair.right.qp.number() + 1L + DeviceLayout.QUEUE_PAIRS);
        pair.connect(SharedPair.PATIENT);
        expectNetwork();
    }

    @Test
    void shouldConnectAgainThroughSharedMemoryAfterErrorAndReset() {
        pair = new SharedPair(SharedPair.PATIENT);
        for (int i = 0; i < 5; i++) {
            assertEquals(4 * (i + 1), talk(4 * i));
            if (i % 2 == 0) {
                pair.left.qp.modify(QueuePairChange.to(QueuePairState.ERR));
            }
            pair.left.qp.modify(QueuePairChange.to(QueuePairState.RESET));
            pair.right.qp.modify(QueuePairChange.to(QueuePairState.RESET));
            pair.connect(SharedPair.PATIENT);
        }
        assertEquals(0, pair.packets(), this::state);
    }

    /// While the left end still has a connection to the earlier device.
    @Test
    void shouldUseSharedMemoryWithDeviceThatWasOpenedAgain() {
        pair = new SharedPair(SharedPair.IMPATIENT);
        talk();
        pair.right.context.closeAll();
        pair.left.write(5, 0, 100, 0);
        ConnectionEnd again = SharedPair.open(pair.right.address, new TestHost());
        try (QueuePair qp = pair.left.pd.createQueuePair(QueuePairOptions.rc(pair.left.cq))) {
            SharedPair.connect(qp, again, again.qp.number(), 1, 2, SharedPair.PATIENT);
            SharedPair.connect(again.qp, pair.left, qp.number(), 2, 1, SharedPair.PATIENT);
            qp.post(qp.newSendRequest()
                    .wrId(6)
                    .signaled()
                    .write(again.memory.address(), again.memory.rkey())
                    .from(pair.left.memory, 0, 1000));
            assertTrue(SharedPair.driveUntil(() -> pair.left.completions.size() >= 6, pair.left, again), "hangs");
            assertArrayEquals(
                    pair.left.bytes(0, 1000),
                    again.memory.memory().asSlice(0, 1000).toArray(ValueLayout.JAVA_BYTE));
            pair.left.completions.stream()
                    .filter(c -> c.wrId() == 5)
                    .forEach(c -> assertEquals(CompletionStatus.RETRY_EXCEEDED, c.status()));
            assertEquals(0, SharedPair.packets(pair.left));
        } finally {
            again.context.closeAll();
        }
    }
}
