package io.verbena.bench.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class PingPongTableTest {
    @Test
    void shouldTakeTheColumnWithMoreDigits() throws IOException {
        PingPongTable shared = PingPongTable.parse(Captured.lines("libfabric-1.17-shm"));
        assertEquals(64, shared.bytes());
        assertEquals(64 / 182.65, shared.transferUs());
        assertEquals(
                12.67, PingPongTable.parse(Captured.lines("libfabric-1.17-rxd")).transferUs());
    }

    @Test
    void shouldReadSizesWithASuffix() throws IOException {
        PingPongTable large = PingPongTable.parse(Captured.lines("libfabric-1.17-rxd1m"));
        assertEquals(1 << 20, large.bytes());
        assertEquals(3857.59, large.transferUs());
    }

    @Test
    void shouldRefuseWhatIsNotTheTable() {
        refuses("nothing at all", List.of());
        refuses("[error] no data", List.of("[error] no data"));
    }

    @Test
    void shouldRefuseLostMessages() throws IOException {
        List<String> lines = Captured.lines("libfabric-1.17-shm").stream()
                .map(line -> line.replace("=20k", "-4  "))
                .toList();
        refuses("lost messages: it sent 20k and got -4", lines);
    }

    @Test
    void shouldRefuseWordsForNumbers() throws IOException {
        List<String> lines = Captured.lines("libfabric-1.17-tcp").stream()
                .map(line -> line.replace("10.34", "fast!"))
                .toList();
        refuses("no numbers", lines);
    }

    private static void refuses(String why, List<String> lines) {
        String message = assertThrows(IOException.class, () -> PingPongTable.parse(lines))
                .getMessage();
        assertTrue(message.contains(why), message);
    }
}
