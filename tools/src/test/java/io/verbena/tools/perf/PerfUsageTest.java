package io.verbena.tools.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.CommandRun;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Impossible options are refused before anything is sent: one line, exit code 2.
@Timeout(30)
class PerfUsageTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "send-lat -s 3000000000 | 3000000000",
                "send-lat -s 0 | 1 byte or more",
                "send-bw -I 100000 | -I (inline) 100000",
                "send-bw -t 10000000 -n 20000000 | -t (tx-depth) 10000000",
                "send-bw -r 10000000 | -r (rx-depth) 10000000",
                "write-bw -q 100000 | -q (qps) 100000",
                "send-bw -q 16384 -r 16384 -s 8 | 16384 queue pairs",
                "read-bw -o 10000 | -o (outs) 10000",
                "read-lat -c UD | cannot run on UD",
                "write-bw -c UD | cannot run on UD",
                "atomic-lat -s 16 | atomics work on 8 bytes",
                "atomic-bw -a | atomics work on 8 bytes",
                "send-lat -c UD -s 5000 | a datagram has up to",
                "send-lat -m 1000 | none of 256",
                "send-lat -n 0 | how many messages",
                "send-lat -D 0 | how many",
                "send-lat -n 5 -D 5 | one of them says how long",
                "send-lat -a -s 5 | one of them says which sizes",
                "send-lat -s 64,8,64 | one twice: [64, 8, 64]",
                "send-lat -q 2 | one queue pair",
                "send-lat -t 5 | one message in flight",
                "write-lat -e | leave out -e",
                "write-bw -n 100 -l 7 | multiple of -l",
                "write-bw -c UC --verify | --verify",
                "send-lat -u 32 | -u (qp-timeout) 32",
                "send-lat --once | --once is for servers",
                "send-lat --timeout -1 | --timeout",
                "send-lat -p 0 | Invalid port 0",
                "send-late | there is no test 'send-late'",
            })
    void shouldRefuse(String options, String because) {
        String[] words = options.split(" ");
        String[] arguments = Stream.concat(
                        Stream.of(words[0], "127.0.0.1"), Arrays.stream(words).skip(1))
                .toArray(String[]::new);
        CommandRun run = CommandRun.of("perf", arguments);
        assertEquals(2, run.exitCode(), run.out() + run.err());
        assertTrue(run.err().contains(because), run.err());
        assertEquals(2, run.err().lines().count(), run.err()); // what, and where help is
        assertEquals("", run.out());
    }

    @Test
    void shouldLeaveResultsToTheClient() {
        CommandRun run = CommandRun.of("perf", "-p", "0", "--json", "-");
        assertEquals(2, run.exitCode());
        assertTrue(run.err().contains("--json is for clients"), run.err());
    }

    @Test
    void shouldSayThatNobodyListens() {
        CommandRun run = CommandRun.of("perf", "send-lat", "127.0.0.1", "-p", "1", "--provider", "soft");
        assertEquals(1, run.exitCode());
        assertTrue(run.err().contains("start the server there first"), run.err());
        assertEquals(1, run.err().lines().count(), run.err());
    }

    @Test
    void shouldSayThatTheGidIsNotThere() {
        CommandRun run = CommandRun.of("perf", "send-lat", "127.0.0.1", "-x", "77", "--provider", "soft");
        assertEquals(1, run.exitCode());
        assertTrue(run.err().contains("has no GID with index 77"), run.err());
    }

    @Test
    void shouldSayThatTheHostIsUnknown() {
        CommandRun run = CommandRun.of("perf", "send-lat", "no-such-host.invalid");
        assertEquals(2, run.exitCode());
        assertTrue(run.err().contains("unknown host 'no-such-host.invalid'"), run.err());
    }

    @Test
    void shouldSayThatThePortIsTaken() throws Exception {
        try (var runs = new PerfRuns()) {
            CommandRun run = CommandRun.of("perf", "-p", String.valueOf(runs.port()), "--device", runs.address());
            assertEquals(1, run.exitCode());
            assertTrue(run.err().contains("-p takes another port"), run.err());
        }
    }

    @Test
    void shouldTellTheClientWhyTheServerRefuses() throws Exception {
        try (var runs = new PerfRuns("-x", "5")) {
            CommandRun run = runs.run("send-lat");
            assertEquals(1, run.exitCode());
            assertTrue(run.err().contains("the server refuses: device soft-"), run.err());
            assertEquals(1, run.err().lines().count(), run.err());
        }
    }
}
