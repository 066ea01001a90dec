package io.verbena.tools.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.status.ConnectionPath;
import io.verbena.verbs.attr.QueuePairState;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Sorting and filtering of connections.
class SelectionTest {
    private static final List<ConnectionRow> ROWS = rows();

    private static List<ConnectionRow> rows() {
        return MadeUpProcess.snapshot(
                        MadeUpProcess.udp(1, 10, 5, 0),
                        MadeUpProcess.connection(2, ConnectionPath.SHARED_MEMORY, QueuePairState.RTS, 20, 9, -1),
                        MadeUpProcess.udp(3, 30, 7, 0),
                        MadeUpProcess.connection(4, ConnectionPath.NONE, QueuePairState.ERR, 0, 0, -1))
                .connections();
    }

    private static List<Integer> numbers(Column sort, boolean isReversed, String filter) {
        return new Selection(sort, isReversed, filter)
                .of(ROWS).stream().map(row -> row.status().number()).toList();
    }

    @Test
    void shouldPutLargeNumbersFirst() {
        assertEquals(List.of(2, 3, 1, 4), numbers(Column.OUTSTANDING, false, ""));
        assertEquals(List.of(4, 1, 3, 2), numbers(Column.OUTSTANDING, true, ""));
        assertEquals(List.of(4, 3, 2, 1), numbers(Column.AGE, false, ""));
    }

    @Test
    void shouldPutTextsInTheirOrder() {
        assertEquals(List.of(4, 1, 3, 2), numbers(Column.PATH, false, ""));
        assertEquals(List.of(1, 2, 3, 4), numbers(Column.PEER, false, ""));
    }

    /// Connections through shared memory have no packets.
    @Test
    void shouldPutUnknownNumbersLast() {
        assertEquals(List.of(1, 3, 2, 4), numbers(Column.PACKETS, false, ""));
    }

    @ParameterizedTest
    @EnumSource(Column.class)
    void shouldKeepAllRowsAndTheOrderOfEqualOnes(Column column) {
        List<ConnectionRow> sorted = new Selection(column, false, "").of(ROWS);
        assertEquals(4, Set.copyOf(sorted).size());
        for (int i = 1; i < sorted.size(); i++) {
            ConnectionRow before = sorted.get(i - 1);
            ConnectionRow after = sorted.get(i);
            int order = column.order().compare(before, after);
            assertTrue(order < 0 || order == 0 && ROWS.indexOf(before) < ROWS.indexOf(after), column + ": " + sorted);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'', 1 2 3 4",
        "' ', 1 2 3 4",
        "udp, 1 3",
        "UDP, 1 3",
        "shared, 2",
        "shm, 2",
        "10.0.0.3:40003, 3",
        "0x000002, 2",
        "udp 10.0.0.1:40001, 1",
        "-udp, 2 4",
        "-udp -err, 2",
        "err, 4",
        "server, 1 2 3 4",
        "nothing, ''",
        "-, 1 2 3 4"
    })
    void shouldFilterByAllWords(String filter, String expected) {
        List<Integer> wanted = expected.isEmpty()
                ? List.of()
                : List.of(expected.split(" ")).stream().map(Integer::valueOf).toList();
        assertEquals(wanted, numbers(Column.QP, false, filter));
    }

    @Test
    void shouldFitColumnsIntoTheWidthAndKeepTheSortedOne() {
        for (int width = 20; width < 200; width += 7) {
            for (Column sort : Column.values()) {
                List<Field<ConnectionRow>> columns = TextTable.fitting(width, sort);
                assertTrue(columns.contains(sort.field()), columns + " without " + sort);
                int used = columns.stream().mapToInt(Field::width).sum() + columns.size() - 1;
                assertTrue(used <= width || columns.size() == 1, columns + " need " + used + " of " + width);
            }
        }
        assertEquals(Column.values().length, TextTable.fitting(1000, Column.QP).size());
    }
}
