package io.verbena.soft.fuzz;

import org.junit.jupiter.api.Test;

/// A device in use takes whatever a peer sends. How to run it for longer: [FuzzLoop].
class LiveFuzzTest {
    @Test
    void shouldTakeWhateverPacketsComeToConnectedQueuePairs() {
        FuzzLoop.run("live device", 600, FuzzLoop.bytes(1200), LiveFuzz::fuzzerTestOneInput);
    }

    @Test
    void shouldTakeWhateverConnectionMessagesComeInAnyState() {
        FuzzLoop.run("connection messages", 200, FuzzLoop.bytes(1200), CmFuzz::fuzzerTestOneInput);
    }
}
