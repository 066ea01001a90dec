package io.verbena.bench.micro;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SoftPairTest {
    @ParameterizedTest
    @ValueSource(strings = {SoftPair.UDP, "auto"})
    void shouldCompleteEveryRequestOfEveryBenchmark(String path) {
        try (SoftPair pair = new SoftPair(path)) {
            for (int round = 0; round < 10; round++) {
                assertEquals(0, pair.pollEmpty());
                assertEquals(1, pair.write());
                assertEquals(1, pair.read());
                assertEquals(1, pair.fetchAndAdd());
                assertEquals(2, pair.sendAndReceive());
                assertEquals(SoftPair.BATCH, pair.writes());
                assertEquals(SoftPair.BATCH, pair.flush());
            }
        }
    }

    @Test
    void shouldGoTheWayThatWasAskedFor() {
        try (SoftPair pair = new SoftPair(SoftPair.UDP)) {
            assertDoesNotThrow(pair::requirePath);
        }
    }

    @AfterEach
    void tearDown() {
        System.clearProperty("verbena.soft.path");
    }

    @Test
    void shouldNameRowsInWords() {
        assertEquals("soft devices: write and poll", MicroTable.words("SoftDevices.writeAndPoll"));
        assertEquals("payload bytes", MicroTable.words("payloadBytes"));
    }
}
