package io.verbena.soft.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.OverSharedMemory;
import io.verbena.soft.net.Loopback;
import io.verbena.soft.os.NanoClock;
import io.verbena.soft.rig.ChildJvm;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// Connections begin and end while threads poll and wait: memory is never closed while a thread uses it, so no access
/// throws, and no thread is interrupted. `-Dverbena.churn=100000` for more of them.
@Timeout(value = 1, unit = TimeUnit.HOURS) // for more connections, each of which has a deadline
@EnabledOnOs(OS.LINUX)
class ChurnTest implements OverSharedMemory {
    private static final int COUNT = Integer.getInteger("verbena.churn", 300);
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final long PAUSE_NS = 2_000_000;

    private final InetAddress client = Loopback.next();
    private final ChurnServer server = new ChurnServer(Loopback.next());

    @AfterEach
    void close() {
        server.close();
    }

    private void expectAllReceived(long startedNs) {
        long startNs = NanoClock.SYSTEM.nowNs();
        while (server.received.get() < COUNT && NanoClock.SYSTEM.nowNs() - startNs < LONG.toNanos()) {
            LockSupport.parkNanos(PAUSE_NS);
        }
        assertEquals(List.of(), List.copyOf(server.failures));
        assertEquals(COUNT, server.received.get());
        assertEquals(0, server.interrupts.get(), "threads of the server that were interrupted by nobody");
        long eachNs = (NanoClock.SYSTEM.nowNs() - startedNs) / COUNT;
        System.out.println(COUNT + " connections, one after the other, " + eachNs / 1000 + " us each");
    }

    @Test
    void shouldInterruptNobodyWithinOneProcess() throws Exception {
        Set<String> before = Leftovers.mappings();
        long startNs = NanoClock.SYSTEM.nowNs();
        assertEquals(0, new ChurnClient(client, server.address()).run(COUNT), "the client was interrupted by nobody");
        expectAllReceived(startNs);
        assertTrue(Leftovers.mappingsSince(before) < 100, "mappings stay");
    }

    @Test
    void shouldInterruptNobodyWhenTheClientIsAnotherProcess() throws Exception {
        long startNs = NanoClock.SYSTEM.nowNs();
        try (ChildJvm child = new ChildJvm(
                ChurnClient.class,
                client.getHostAddress(),
                server.address().getAddress().getHostAddress(),
                Integer.toString(server.address().getPort()),
                Integer.toString(COUNT))) {
            assertEquals("interrupted 0", child.line());
            assertEquals(0, child.end());
        }
        expectAllReceived(startNs);
    }
}
