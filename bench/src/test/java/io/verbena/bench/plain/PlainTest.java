package io.verbena.bench.plain;

import static io.verbena.bench.side.Measurement.roundTrip;
import static io.verbena.bench.side.Measurement.stream;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.bench.side.Contestant;
import io.verbena.bench.side.Measurement;
import io.verbena.bench.side.Measurement.Kind;
import io.verbena.bench.side.Measurement.Operation;
import io.verbena.bench.side.Names;
import io.verbena.bench.side.Network;
import io.verbena.bench.side.TinyRun;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class PlainTest {
    private static final int LARGEST = 65536;

    @Test
    void shouldMeasureTcp() throws Exception {
        TinyRun.of(
                Plain.tcp(LARGEST, Network.LOOPBACK),
                List.of(
                        roundTrip(Operation.SEND, 64).withRead(),
                        roundTrip(Operation.SEND, LARGEST).withRead(),
                        stream(Operation.SEND, LARGEST).withRead(),
                        roundTrip(Operation.SEND, 64).withRead().blocking(),
                        roundTrip(Operation.SEND, 64).withRead().blocking().ofKind(Kind.PACED),
                        stream(Operation.SEND, 64).withRead()));
    }

    @Test
    void shouldMeasureDatagramsOfTheKernel() throws Exception {
        Contestant raw = Plain.rawUdp(Network.LOOPBACK);
        assumeTrue(raw.missing().isEmpty());
        TinyRun.of(
                raw,
                List.of(
                        roundTrip(Operation.DATAGRAM, 64),
                        stream(Operation.DATAGRAM, 4112),
                        roundTrip(Operation.DATAGRAM, 4096),
                        stream(Operation.DATAGRAM, 1040)));
    }

    @Test
    void shouldMeasureCopies() throws Exception {
        List<Measurement> sizes = List.of(stream(Operation.COPY, 64), stream(Operation.COPY, LARGEST));
        TinyRun.of(Plain.copy(Names.MEMCPY, "c", LARGEST), sizes);
        TinyRun.of(Plain.copy(Names.JAVA_COPY, "java", LARGEST), sizes);
        TinyRun.of(Plain.copyByTwo(LARGEST), List.of(stream(Operation.COPY, LARGEST)));
    }

    @Test
    void shouldMeasureACacheLine() throws Exception {
        TinyRun.of(Plain.cacheLine(), List.of(roundTrip(Operation.CACHE_LINE, 8), roundTrip(Operation.CACHE_LINE, 8)));
    }
}
