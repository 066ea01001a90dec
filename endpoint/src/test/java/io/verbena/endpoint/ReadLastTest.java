package io.verbena.endpoint;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.junit.RdmaTest;
import io.verbena.soft.fabric.SimulatedFabric;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.attr.Access;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Reads on a network where a way takes ten virtual milliseconds, so that their order shows in the time that they take.
@RdmaTest
class ReadLastTest extends EndpointFixture {
    private static final Duration WAY = Duration.ofMillis(10);

    private SimulatedFabric network;

    @BeforeEach
    void choose(SimulatedFabric fabric) {
        network = fabric.latency(WAY);
        address = "10.0.0.1";
        ThreadStarter threads = (builder, task) -> network.start(builder, task::run);
        serverOptions = serverOptions
                .connectionManager(network.host(address).connectionManager())
                .threads(threads);
        clientOptions = clientOptions
                .threads(threads)
                .connectionManager(network.host("10.0.0.2").connectionManager())
                .localAddress("10.0.0.2");
    }

    private interface Reads {
        Pending post(RemoteMemory memory, List<RemoteMemory.Range> ranges, MemoryRegion into);
    }

    /// How long it takes to read what follows the version, and the version behind it.
    private Duration time(Reads reads) throws Exception {
        try (Ends ends = connectBoth();
                MemoryRegion into = ends.client().allocate(64)) {
            server.allocate("versions", 64, Access.REMOTE_READ);
            RemoteMemory memory = ends.client().remote("versions");
            Duration begin = network.elapsed();
            reads.post(memory, List.of(new RemoteMemory.Range(8, 8, 56), new RemoteMemory.Range(0, 0, 8)), into)
                    .await();
            return network.elapsed().minus(begin);
        }
    }

    @Test
    void shouldBeginTheLastReadWhenThoseBeforeItHaveEnded() throws Exception {
        Duration time = time(RemoteMemory::readAllInOrderAsync);
        assertTrue(time.compareTo(WAY.multipliedBy(4)) >= 0, () -> "four ways in " + time);
    }

    @Test
    void shouldBeginTheLastReadWhenThoseOfEarlierCallsHaveEnded() throws Exception {
        Duration time = time((memory, ranges, into) -> {
            memory.readAllAsync(ranges.subList(0, 1), into);
            return memory.readAllInOrderAsync(ranges.subList(1, 2), into);
        });
        assertTrue(time.compareTo(WAY.multipliedBy(4)) >= 0, () -> "four ways in " + time);
    }

    @Test
    void shouldHaveOtherReadsUnderWayAtOnce() throws Exception {
        Duration time = time(RemoteMemory::readAllAsync);
        assertTrue(time.compareTo(WAY.multipliedBy(4)) < 0, () -> "two ways in " + time);
    }
}
