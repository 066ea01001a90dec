package io.verbena.tools.top;

import io.verbena.report.Json;
import io.verbena.report.JsonObject;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// What the page shows, as JSON: tables of text, and the details of one connection.
final class PageData {
    /// A browser takes its time for more, and nobody reads them.
    static final int MOST_ROWS = 200;

    private PageData() {}

    /// @param chosen the identifier of the connection whose details are wanted; empty for none
    static Map<String, Object> of(Snapshot snapshot, Selection selection, String chosen) {
        List<ConnectionRow> rows = selection.of(snapshot.connections());
        return new JsonObject()
                .with("timeMs", snapshot.timeMs())
                .with("processCount", snapshot.processes().size())
                .with("deviceCount", snapshot.deviceCount())
                .with("connectionCount", snapshot.connections().size())
                .with("matchingCount", rows.size())
                .with("sort", selection.sort().key())
                .with("isReversed", selection.isReversed())
                .with("connections", connections(rows))
                .with("devices", table(TextTable.DEVICES, snapshot.shards()))
                .with("processes", table(TextTable.PROCESSES, snapshot.processes()))
                .with("details", chosen.isEmpty() ? null : details(snapshot, chosen));
    }

    private static Map<String, Object> connections(List<ConnectionRow> rows) {
        List<Column> columns = Arrays.asList(Column.values());
        return Json.object(
                "columns",
                columns.stream()
                        .map(column -> Json.object(
                                "key", column.key(),
                                "heading", column.field().heading(),
                                "isNumber", column.field().isNumber(),
                                "rank", column.rank()))
                        .toList(),
                "rows",
                rows.stream()
                        .limit(MOST_ROWS)
                        .map(row -> Json.object(
                                "id", id(row),
                                "state", row.state(),
                                "cells",
                                        columns.stream()
                                                .map(column ->
                                                        column.field().text().apply(row))
                                                .toList()))
                        .toList());
    }

    private static <R> Map<String, Object> table(List<Field<R>> fields, List<R> rows) {
        return Json.object(
                "columns",
                fields.stream()
                        .map(field -> Json.object("heading", field.heading(), "isNumber", field.isNumber()))
                        .toList(),
                "rows",
                rows.stream()
                        .limit(MOST_ROWS)
                        .map(row -> Json.object(
                                "cells",
                                fields.stream()
                                        .map(field -> field.text().apply(row))
                                        .toList()))
                        .toList());
    }

    static String id(ConnectionRow row) {
        return row.pid() + "/" + row.device() + "/" + row.number();
    }

    /// Nothing but the identifier for a connection that has ended.
    private static Map<String, Object> details(Snapshot snapshot, String chosen) {
        return snapshot.connections().stream()
                .filter(row -> id(row).equals(chosen))
                .findFirst()
                .map(row -> Json.object("id", chosen, "facts", Details.of(row), "hints", Hints.of(row)))
                .orElseGet(() -> Json.object("id", chosen));
    }
}
