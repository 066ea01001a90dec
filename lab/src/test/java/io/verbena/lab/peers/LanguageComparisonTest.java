package io.verbena.lab.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class LanguageComparisonTest {
    private static final LanguageComparison LATENCY = new LanguageComparison("send-lat", 64, "-n 100 -e", false);
    private static final LanguageComparison BANDWIDTH =
            new LanguageComparison("write-bw", 65536, "-n 100 -t 128", false);

    @Test
    void shouldTakeTheMedianLatencyFromTheLastTable() {
        String output = """
                 64      100          1.02          7.29       9.77          5.32          3.76          7.29        7.29
                ---------------------------------------------------------------------------------------
                 #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec] ...
                 64      100          28.02          147.29       29.77            35.32        13.76    147.29    147.29
                ---------------------------------------------------------------------------------------
                """;
        assertEquals(29.77, LATENCY.value(0, output));
    }

    @Test
    void shouldTakeTheAverageBandwidth() {
        assertEquals(
                56.81, BANDWIDTH.value(0, " 65536      100              58.91              56.81       0.000909\n"));
    }

    @Test
    void shouldTellInstructionsOfAMessageWhereTheClockCountsThem() {
        var latency = new LanguageComparison("read-lat", 64, "-n 100", true);
        var bandwidth = new LanguageComparison("write-bw", 1024, "-n 100", true);
        assertEquals(26_410, latency.value(0, "64 1000 26.41 35.10 26.41 26.44 0.39 26.56 35.10"), 1e-6);
        assertEquals(1e6, bandwidth.value(0, "1024 1000 1.00 0.9765625 0.001"), 1e-6);
    }

    @Test
    void shouldShowTheOutputOfAProgramThatFailed() {
        var thrown = assertThrows(IllegalStateException.class, () -> BANDWIDTH.value(1, "Couldn't connect"));
        assertEquals("write-bw -s 65536 -n 100 -t 128 ended with 1: Couldn't connect", thrown.getMessage());
    }

    @Test
    void shouldGiveBothSidesTheSameOptions() {
        assertEquals("ib_send_lat -d rxe0 -x 1 -F -p 9 -s 64 -n 100 -e", LATENCY.c("rxe0", 9));
        assertEquals(
                "perf send-lat 10.0.0.1 --device 10.0.0.2 -p 9 -s 64 -n 100 -e",
                LATENCY.ours("10.0.0.2", 9, "10.0.0.1"));
    }
}
