package io.verbena.tools.top;

import java.io.PrintWriter;
import java.util.List;

/// A snapshot as text for people, printed once.
final class Report {
    /// All columns, and the columns to their right in full.
    private static final int WIDTH = 1000;

    private Report() {}

    static void print(PrintWriter out, Snapshot snapshot, Selection selection) {
        if (snapshot.processes().isEmpty() && snapshot.shards().isEmpty()) {
            out.println("no process of this user has a Verbena device open");
            return;
        }
        print(out, TextTable.PROCESSES, snapshot.processes());
        out.println();
        print(out, TextTable.DEVICES, snapshot.shards());
        List<ConnectionRow> rows = selection.of(snapshot.connections());
        if (!snapshot.connections().isEmpty()) {
            out.println();
            print(out, TextTable.fitting(WIDTH, selection.sort()), rows);
        }
        if (!selection.filter().isBlank()) {
            out.println(selection.count(rows.size(), snapshot.connections().size()));
        }
    }

    private static <R> void print(PrintWriter out, List<Field<R>> fields, List<R> rows) {
        out.println(TextTable.heading(fields));
        rows.forEach(row -> out.println(TextTable.line(fields, row)));
    }
}
