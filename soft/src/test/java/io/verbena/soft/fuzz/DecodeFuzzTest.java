package io.verbena.soft.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Whatever arrives as bytes is decoded or refused, never anything else. How to run it for longer: [FuzzLoop].
class DecodeFuzzTest {
    private static final int INPUTS = 5_000;

    @Test
    void shouldDecodeOrRefuseEveryPacket() {
        FuzzLoop.run("packets", INPUTS, FuzzLoop.mutations(Corpus.packets()), DecodeFuzz::packet);
        FuzzLoop.run("random packets", INPUTS, FuzzLoop.bytes(200), DecodeFuzz::packet);
    }

    @Test
    void shouldDecodeOrRefuseEveryManagementDatagram() {
        FuzzLoop.run("management datagrams", 5 * INPUTS, FuzzLoop.mutations(Corpus.mads()), DecodeFuzz::mad);
    }

    @Test
    void shouldReadOrRefuseEveryCaptureFile() {
        FuzzLoop.run("capture files", INPUTS, FuzzLoop.mutations(Corpus.captureFiles()), DecodeFuzz::captureFile);
    }

    @Test
    void shouldParseOrRefuseEveryFaultPlan() {
        List<byte[]> plans = Stream.of(
                        "loss=0.01,duplicate=0.001,reorder=0.01,corrupt=0.01,delay=10us..1ms,seed=42",
                        "loss=1e-3,seed=-0x7f",
                        "delay=999999999s,seed=9223372036854775807",
                        "loss=NaN",
                        "=,,delay=..,seed=")
                .map(text -> text.getBytes(StandardCharsets.UTF_8))
                .toList();
        FuzzLoop.run("fault plans", INPUTS, FuzzLoop.mutations(plans), DecodeFuzz::faultPlan);
    }
}
