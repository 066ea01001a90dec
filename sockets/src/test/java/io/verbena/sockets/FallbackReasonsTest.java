package io.verbena.sockets;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

class FallbackReasonsTest {
    private final FallbackReasons reasons = new FallbackReasons();

    @Test
    void shouldCountEachReason() {
        reasons.count("refused");
        reasons.count("no answer");
        reasons.count("refused");
        assertEquals(Map.of("no answer", 1L, "refused", 2L), reasons.now());
    }

    @Test
    void shouldCountReasonsTogetherOfWhichThereAreTooMany() {
        int peers = 3 * FallbackReasons.MOST;
        for (int i = 0; i < peers; i++) {
            reasons.count("peer %d refused".formatted(i));
        }
        reasons.count("peer 0 refused");
        Map<String, Long> now = reasons.now();
        assertEquals(FallbackReasons.MOST + 1, now.size());
        assertEquals(2, now.get("peer 0 refused"));
        assertEquals(peers - FallbackReasons.MOST, now.get(FallbackReasons.OTHERS));
    }
}
