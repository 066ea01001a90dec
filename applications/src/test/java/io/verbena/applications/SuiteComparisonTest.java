package io.verbena.applications;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.verbena.applications.netty.SuiteResults;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SuiteComparisonTest {
    private static SuiteResults results(String... tests) {
        return SuiteResults.parse("any", Arrays.asList(tests));
    }

    private static String line(String status, String name, String reason) {
        return String.join("\t", "#netty", status, "EchoTest", name, "5", reason);
    }

    @Test
    void shouldNameTestsThatFailedHereOnly() {
        SuiteResults there = results(line("passed", "a", ""), line("passed", "b", ""), line("failed", "c", "x"));
        SuiteResults here = results(line("passed", "a", ""), line("failed", "b", "wrong"), line("failed", "c", "x"));
        assertEquals(List.of("EchoTest.b: wrong"), here.worseThan(there));
    }

    @Test
    void shouldNameTestsThatDidNotEndOrDidNotRun() {
        SuiteResults there = results(line("passed", "a", ""), line("passed", "b", ""));
        SuiteResults here = results(line("start", "a", ""));
        assertEquals(List.of("EchoTest.a: did not end", "EchoTest.b: did not run"), here.worseThan(there));
    }

    @Test
    void shouldTakeTheEndOfATestForItsResult() {
        SuiteResults here = results(line("start", "a", ""), "noise", line("passed", "a", ""));
        assertEquals(List.of(), here.worseThan(here));
        assertEquals(1, here.passed());
    }

    @Test
    void shouldRecogniseATestWhoseNameHasTheAddressOfAnObject() {
        SuiteResults there = results(line("passed", "with Context@1a2b3c", ""));
        assertEquals(List.of(), results(line("passed", "with Context@77", "")).worseThan(there));
    }

    @Test
    void shouldReadTheBytesOfTheLastReport() {
        String report =
                "verbena-sockets: RDMA 2 connections, %d bytes read, %d written; TCP 0 connections, 0 bytes read, 0 written; no fallbacks";
        assertEquals(12, Sockets.rdmaBytes(List.of(report.formatted(1, 2), "noise", report.formatted(5, 7))));
        assertEquals(0, Sockets.rdmaBytes(List.of("noise")));
    }
}
