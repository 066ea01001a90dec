package io.verbena.tools.top;

import io.verbena.tools.text.PrintableText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/// Tables of plain text.
final class TextTable {
    static final List<Field<ProcessRow>> PROCESSES = List.of(
            new Field<>("PID", 7, true, row -> Long.toString(row.pid())),
            new Field<>("PROGRAM", 16, false, ProcessRow::program),
            new Field<>("CPU", 6, true, row -> Quantity.percent(row.cpuPercent())),
            new Field<>("CONNS", 6, true, TextTable::connections),
            new Field<>("SENT/s", 6, true, row -> Quantity.count(row.sentRate())),
            new Field<>("RECV/s", 6, true, row -> Quantity.count(row.receivedRate())),
            new Field<>("DEVICES, PORTS", 60, false, TextTable::devices));

    static final List<Field<ShardRow>> DEVICES = List.of(
            new Field<>("PID", 7, true, row -> row.pid() == 0 ? "" : Long.toString(row.pid())),
            new Field<>("DEVICE", 20, false, ShardRow::device),
            new Field<>("STATE", 6, false, ShardRow::state),
            new Field<>("SHARD", 5, true, ShardRow::name),
            new Field<>("CONNS", 6, true, row -> row.pid() == 0 ? "" : Long.toString(row.connections())),
            new Field<>("PK OUT/s", 8, true, row -> Quantity.count(row.rate(ShardRow.PACKETS_OUT))),
            new Field<>("PK IN/s", 7, true, row -> Quantity.count(row.rate(ShardRow.PACKETS_IN))),
            new Field<>("B OUT/s", 7, true, row -> Quantity.count(row.rate(ShardRow.BYTES_OUT))),
            new Field<>("B IN/s", 6, true, row -> Quantity.count(row.rate(ShardRow.BYTES_IN))),
            new Field<>("SHM/s", 6, true, row -> Quantity.count(row.rate(ShardRow.SHARED))),
            new Field<>("RETRY", 6, true, row -> Quantity.count(row.count(ShardRow.RETRANSMITTED))));

    private TextTable() {}

    private static String connections(ProcessRow row) {
        return row.connections() + (row.leftOut() > 0 ? "+" : "");
    }

    private static String devices(ProcessRow row) {
        if (!row.problem().isEmpty()) {
            return row.problem();
        }
        String ports = row.listening().isEmpty() ? "" : "; listens on " + String.join(" ", row.listening());
        return String.join(" ", row.devices()) + ports;
    }

    /// The columns that fit, in their order. The column that is sorted by is always among them.
    static List<Field<ConnectionRow>> fitting(int width, Column sort) {
        List<Column> chosen = new ArrayList<>(Arrays.asList(Column.values()));
        List<Column> expendable = new ArrayList<>(chosen);
        expendable.remove(sort);
        expendable.sort(Comparator.comparingInt(Column::rank).reversed());
        while (width(chosen) > width && chosen.size() > 1) {
            chosen.remove(expendable.removeFirst());
        }
        return chosen.stream().map(Column::field).toList();
    }

    private static int width(List<Column> columns) {
        return columns.stream().mapToInt(column -> column.field().width()).sum() + columns.size() - 1;
    }

    static <R> String heading(List<Field<R>> fields) {
        return fields.stream()
                .map(field -> cell(field, field.heading()))
                .collect(Collectors.joining(" "))
                .stripTrailing();
    }

    static <R> String line(List<Field<R>> fields, R row) {
        return fields.stream()
                .map(field -> cell(field, printable(field.text().apply(row))))
                .collect(Collectors.joining(" "))
                .stripTrailing();
    }

    /// A number that is too wide keeps its digits, a text is cut.
    private static String cell(Field<?> field, String text) {
        int missing = field.width() - text.length();
        if (missing < 0) {
            return field.isNumber() ? text : text.substring(0, field.width() - 1) + "…";
        }
        return field.isNumber() ? " ".repeat(missing) + text : text + " ".repeat(missing);
    }

    /// Names of programs must not control the terminal.
    static String printable(String text) {
        return PrintableText.mask(text);
    }
}
