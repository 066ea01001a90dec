package io.verbena.tools.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.status.ConnectionPath;
import io.verbena.verbs.attr.QueuePairState;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Rates and waits come from the difference of two snapshots.
class RateMeterTest {
    private static final double NEAR = 0.001;

    private final RateMeter meter = new RateMeter();
    private final MadeUpProcess process = new MadeUpProcess(4_999_999_999L);

    private Snapshot look() {
        return meter.update(List.of(process.answer()), List.of(), 0);
    }

    private ConnectionRow row() {
        return look().connections().getFirst();
    }

    @Test
    void shouldKnowNoRatesAtFirst() {
        process.with(MadeUpProcess.udp(1, 100, 0, 7));
        Snapshot first = look();
        assertTrue(Double.isNaN(first.connections().getFirst().sentRate()));
        assertTrue(Double.isNaN(first.processes().getFirst().cpuPercent()));
        assertTrue(Double.isNaN(first.shards().getFirst().rate("packets sent")));
        assertEquals("Server", first.processes().getFirst().program());
    }

    @Test
    void shouldDivideByTheTimeOfTheProcess() {
        process.counter("packets sent", 10).with(MadeUpProcess.udp(1, 100, 0, 7));
        look();
        process.after(2).cpu(0.5).counter("packets sent", 30).with(MadeUpProcess.udp(1, 300, 0, 27));
        Snapshot second = look();
        ConnectionRow row = second.connections().getFirst();
        assertEquals(100, row.sentRate(), NEAR);
        assertEquals(200, row.receivedRate(), NEAR);
        assertEquals(10, row.packetsOutRate(), NEAR);
        assertEquals(25, second.processes().getFirst().cpuPercent(), NEAR);
        assertEquals(100, second.processes().getFirst().sentRate(), NEAR);
        assertEquals(10, second.shards().getFirst().rate("packets sent"), NEAR);
        assertEquals(1, second.shards().getFirst().connections());
    }

    @Test
    void shouldFollowSequenceNumbersAroundTheirEnd() {
        process.with(MadeUpProcess.udp(1, 0, 0, 0xFF_FFFE));
        look();
        process.after(1).with(MadeUpProcess.udp(1, 0, 0, 3));
        assertEquals(5, row().packetsOutRate(), NEAR);
    }

    @Test
    void shouldTellHowLongTheOldestRequestWaits() {
        process.with(MadeUpProcess.udp(1, 10, 2, 0));
        assertEquals(0, row().waitNs());
        process.after(1).with(MadeUpProcess.udp(1, 10, 5, 0));
        assertEquals(MadeUpProcess.SECOND_NS, row().waitNs());
        process.after(2).with(MadeUpProcess.udp(1, 10, 5, 0));
        assertEquals(3 * MadeUpProcess.SECOND_NS, row().waitNs());
        process.after(1).with(MadeUpProcess.udp(1, 11, 4, 0));
        ConnectionRow moved = row();
        assertEquals(0, moved.waitNs(), "the oldest one is finished");
        assertEquals(3 * MadeUpProcess.SECOND_NS, moved.slowestNs());
    }

    @Test
    void shouldNotCountTimeWithoutRequestsAsWaiting() {
        for (int i = 0; i < 3; i++) {
            process.after(1).with(MadeUpProcess.udp(1, 10, 0, 0));
            assertEquals(0, row().waitNs());
        }
        process.after(1).with(MadeUpProcess.udp(1, 10, 1, 0));
        assertEquals(0, row().waitNs());
    }

    @Test
    void shouldFollowConnectionsToOtherPlaces() {
        process.with(MadeUpProcess.udp(1, 100, 0, 0))
                .with(MadeUpProcess.udp(2, 200, 0, 0))
                .with(MadeUpProcess.udp(3, 300, 0, 0));
        look();
        process.after(1).with(MadeUpProcess.udp(3, 330, 0, 0)).with(MadeUpProcess.udp(2, 220, 0, 0));
        process.with(MadeUpProcess.udp(4, 400, 0, 0));
        List<ConnectionRow> rows = look().connections();
        assertEquals(30, rows.get(0).sentRate(), NEAR);
        assertEquals(20, rows.get(1).sentRate(), NEAR);
        assertTrue(Double.isNaN(rows.get(2).sentRate()), "a new one");
    }

    /// Messages are counted otherwise there.
    @Test
    void shouldKnowNoRateAcrossAChangeOfThePath() {
        process.with(MadeUpProcess.connection(1, ConnectionPath.SHARED_MEMORY, QueuePairState.RTS, 5, 0, -1));
        look();
        process.after(1).with(MadeUpProcess.udp(1, 1000, 0, 3));
        ConnectionRow row = row();
        assertTrue(Double.isNaN(row.sentRate()));
        assertTrue(Double.isNaN(row.packetsOutRate()));
    }

    @Test
    void shouldNeverTellANegativeRate() {
        process.with(MadeUpProcess.udp(1, 100, 0, 0));
        look();
        process.after(1).with(MadeUpProcess.udp(1, 0, 0, 0));
        assertEquals(0, row().sentRate(), NEAR);
    }

    @Test
    void shouldListAProcessThatDoesNotAnswerAndGoOnWhenItDoes() {
        process.with(MadeUpProcess.udp(1, 100, 0, 0));
        look();
        Snapshot silent = meter.update(List.of(process.silence()), List.of(), 0);
        assertEquals("it does not answer", silent.processes().getFirst().problem());
        assertEquals("Server", silent.processes().getFirst().program());
        assertEquals(List.of(), silent.connections());
        process.after(4).with(MadeUpProcess.udp(1, 500, 0, 0));
        assertEquals(100, row().sentRate(), NEAR, "over the whole time");
    }

    @Test
    void shouldForgetProcessesThatHaveEnded() {
        process.with(MadeUpProcess.udp(1, 100, 0, 0));
        look();
        assertEquals(List.of(), meter.update(List.of(), List.of(), 0).processes());
        process.after(1).with(MadeUpProcess.udp(1, 200, 0, 0));
        assertTrue(Double.isNaN(row().sentRate()), "another process with the same number");
    }
}
