package io.verbena.spark.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class SummaryTest {
    private static Sample sample(Way way, Job job, long ms, String outcome) {
        return new Sample(way, new Result(job, ms, 100, 0, way == Way.RDMA ? 100 : 0, 0, 10, 20, 0, outcome));
    }

    private static Summary summary(String lastOutcome) {
        // Two applications, which run two jobs twice each.
        return new Summary(
                List.of(
                        sample(Way.TCP, Job.GROUP, 9000, "a"),
                        sample(Way.TCP, Job.SORT, 8000, "b"),
                        sample(Way.TCP, Job.GROUP, 1000, "a"),
                        sample(Way.TCP, Job.SORT, 2000, "b"),
                        sample(Way.RDMA, Job.GROUP, 7000, "a"),
                        sample(Way.RDMA, Job.SORT, 6000, "b"),
                        sample(Way.RDMA, Job.GROUP, 500, "a"),
                        sample(Way.RDMA, Job.SORT, 600, lastOutcome)),
                2,
                4);
    }

    @Test
    void shouldKeepFirstRunsApart() {
        List<Summary.Row> rows = summary("b").rows();
        assertEquals(
                List.of("GROUP first", "GROUP first", "GROUP", "GROUP", "SORT first", "SORT first", "SORT", "SORT"),
                rows.stream().map(Summary.Row::label).toList());
        assertEquals(9.0, rows.get(0).median(Summary.Column.TIME));
        assertEquals(0.5, rows.get(3).median(Summary.Column.TIME));
    }

    @Test
    void shouldSayWhetherResultsAreTheSame() {
        assertTrue(summary("b").isSame());
        assertFalse(summary("other").isSame());
    }

    @Test
    void shouldDrawABarForEachRow() {
        String page = ComparePage.of(summary("b"));
        assertEquals(3 * 8, page.split("<rect ", -1).length - 1); // time, wait and CPU
        assertTrue(page.contains("SORT first, Spark as it is, TCP"));
    }
}
