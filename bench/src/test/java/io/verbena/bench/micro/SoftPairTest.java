package io.verbena.bench.micro;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class SoftPairTest {
    @Test
    void shouldCompleteEveryRequestOfEveryBenchmark() {
        try (SoftPair pair = new SoftPair()) {
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
    void shouldNameRowsInWords() {
        assertEquals("soft devices: write and poll", MicroTable.words("SoftDevices.writeAndPoll"));
        assertEquals("payload bytes", MicroTable.words("payloadBytes"));
    }
}
