package io.verbena.bench.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UcxTableTest {
    @Test
    void shouldReadTheMedianAndTheMeanOfALatencyTest() throws IOException {
        assertEquals(
                new UcxTable(100_000, 0.080, 0.084, 11_937_341), UcxTable.parse(Captured.lines("ucx-1.13-tag_lat")));
        assertEquals(
                5.198, UcxTable.parse(Captured.lines("ucx-1.13-tcp_tag_lat")).medianUs());
    }

    @Test
    void shouldReadTheRateOfABandwidthTest() throws IOException {
        UcxTable table = UcxTable.parse(Captured.lines("ucx-1.13-tag_bw"));
        assertEquals(10_000, table.iterations());
        assertEquals(103_827, table.messagesPerSecond());
    }

    @Test
    void shouldReadRowsThatBeginWithAWord() throws IOException {
        assertEquals(1000, UcxTable.parse(Captured.lines("ucx-1.13-stages")).iterations());
    }

    @Test
    void shouldRefuseATableWithoutNumbers() throws IOException {
        List<String> lines = new ArrayList<>(Captured.lines("ucx-1.13-tag_lat"));
        lines.removeLast();
        refuses("no row of numbers", lines);
    }

    @Test
    void shouldRefuseOtherColumns() throws IOException {
        List<String> lines = Captured.lines("ucx-1.13-tag_lat").stream()
                .map(line -> line.replace("(MB/s)", "(GB/s)"))
                .toList();
        refuses("no column \"bandwidth (MB/s)\"", lines);
        refuses("nothing at all", List.of());
    }

    @Test
    void shouldRefuseARowThatIsCutOrNoTime() throws IOException {
        List<String> cut = new ArrayList<>(Captured.lines("ucx-1.13-tag_lat"));
        String row = cut.removeLast();
        cut.add(row.substring(0, row.length() - 12));
        refuses("not 8 numbers above 0: 100000", cut);
        cut.set(cut.size() - 1, row.replace("0.084", "0.000"));
        refuses("not 8 numbers above 0: 100000", cut);
        cut.set(cut.size() - 1, row.replace("0.084", "  nan"));
        refuses("not 8 numbers above 0: 100000", cut);
    }

    private static void refuses(String why, List<String> lines) {
        String message =
                assertThrows(IOException.class, () -> UcxTable.parse(lines)).getMessage();
        assertTrue(message.contains(why), message);
    }
}
