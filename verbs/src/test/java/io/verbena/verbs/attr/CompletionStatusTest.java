package io.verbena.verbs.attr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompletionStatusTest {
    /// The texts of `ibv_wc_status_str` for 0, 1, 2, ...: people search for these words.
    private static final String[] C_TEXTS = {
        "success",
        "local length error",
        "local QP operation error",
        "local EE context operation error",
        "local protection error",
        "Work Request Flushed Error",
        "memory management operation error",
        "bad response error",
        "local access error",
        "remote invalid request error",
        "remote access error",
        "remote operation error",
        "transport retry counter exceeded",
        "RNR retry counter exceeded",
        "local RDD violation error",
        "remote invalid RD request",
        "aborted error",
        "invalid EE context number",
        "invalid EE context state",
        "fatal error",
        "response timeout error",
        "general error",
        "TM error",
        "TM software rendezvous"
    };

    @Test
    void shouldHaveTheNumbersAndWordsOfC() {
        assertEquals(C_TEXTS.length, CompletionStatus.values().length);
        for (int code = 0; code < C_TEXTS.length; code++) {
            CompletionStatus status = CompletionStatus.ofCode(code);
            assertEquals(code, status.code());
            assertEquals(C_TEXTS[code], status.toString());
            assertEquals(C_TEXTS[code], CompletionStatus.text(code));
            assertTrue(status.explain().startsWith(C_TEXTS[code] + ": "));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 24, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void shouldSayUnknownForOtherNumbers(int code) {
        assertEquals("unknown", CompletionStatus.text(code));
    }
}
