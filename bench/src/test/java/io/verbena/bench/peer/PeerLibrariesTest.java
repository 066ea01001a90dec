package io.verbena.bench.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import io.verbena.bench.side.Contestant;
import io.verbena.bench.side.Measurement;
import io.verbena.bench.side.Measurement.Kind;
import io.verbena.bench.side.Measurement.Operation;
import io.verbena.bench.side.Names;
import io.verbena.bench.side.RunResult;
import io.verbena.bench.side.Settings;
import io.verbena.bench.side.Sizes;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Every peer that is installed here measures what the goals ask of it.
@Tag("slow")
class PeerLibrariesTest {
    private static final Duration MOMENT = Duration.ofMillis(5);

    private static void measures(String name, Measurement... measurements) throws Exception {
        try (Contestant peer = PeerLibraries.all(Settings.DEFAULT).stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow()) {
            for (Measurement measurement : measurements) {
                assertTrue(peer.can(measurement), name + " can do " + measurement);
            }
            peer.missing().ifPresent(why -> abort(why));
            peer.open();
            for (Measurement measurement : measurements) {
                check(measurement, peer.run(measurement, MOMENT));
            }
        }
    }

    private static void check(Measurement measurement, RunResult result) {
        String what = measurement + ": " + result;
        if (measurement.kind() == Kind.STREAM) {
            assertTrue(result.messagesPerSecond() > 0 && result.bytesPerSecond() > 0, what);
        } else {
            assertTrue(result.p50() > 0 && result.mean() > 0, what);
            assertFalse(result.p99() < result.p50(), what);
        }
        assertTrue(result.cpuNs() >= 0, what);
    }

    private static Measurement roundTrip(int size) {
        return Measurement.roundTrip(Operation.SEND, size).withRead();
    }

    private static Measurement stream(int size) {
        return Measurement.stream(Operation.SEND, size).withRead();
    }

    @ParameterizedTest
    @ValueSource(strings = {Names.LIBFABRIC_SHM, Names.LIBFABRIC_TCP, Names.UCX_TCP})
    void shouldMeasureARoundTrip(String name) throws Exception {
        measures(name, roundTrip(64));
    }

    @ParameterizedTest
    @ValueSource(strings = {Names.AERON_IPC, Names.AERON_UDP})
    void shouldMeasureMessagesOfAeron(String name) throws Exception {
        measures(name, roundTrip(64), stream(16 * Sizes.KIB));
        assertEquals(List.of(), AeronPeer.folders(), "nothing is left in shared memory");
    }

    @Test
    void shouldMeasureReliableMessagesOverUdp() throws Exception {
        measures(Names.LIBFABRIC_RXD, roundTrip(64), stream(Sizes.MIB));
    }

    @Test
    void shouldMeasureMessagesAndAccessToMemoryThroughSharedMemory() throws Exception {
        measures(
                Names.UCX_POSIX,
                roundTrip(64),
                stream(64),
                Measurement.roundTrip(Operation.WRITE, 64),
                Measurement.stream(Operation.WRITE, Sizes.MIB),
                Measurement.stream(Operation.READ, 64 * Sizes.KIB),
                Measurement.roundTrip(Operation.FETCH_ADD, 8));
    }

    @Test
    void shouldMeasureLibrariesOverTcp() throws Exception {
        measures(Names.NETTY, roundTrip(64), stream(64), stream(65536));
        measures(Names.GRPC, roundTrip(64));
    }
}
