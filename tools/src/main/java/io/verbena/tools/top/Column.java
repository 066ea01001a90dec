package io.verbena.tools.top;

import java.util.Comparator;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/// The columns of connections, in the order of the screen. Each can be sorted by.
enum Column {
    PID("PID", 7, 4, ConnectionRow::pid, Column::whole),
    PROGRAM("PROGRAM", 14, 9, ConnectionRow::program),
    DEVICE("DEVICE", 16, 13, ConnectionRow::device),
    SHARD("SH", 2, 15, row -> row.status().shard(), Column::whole),
    QP("QP", 8, 0, ConnectionRow::number),
    PEER("PEER", 21, 1, ConnectionRow::peer),
    PATH("PATH", 4, 5, ConnectionRow::path),
    STATE("STATE", 5, 2, ConnectionRow::state),
    SENT("SENT/s", 6, 3, ConnectionRow::sentRate, Quantity::count),
    RECEIVED("RECV/s", 6, 6, ConnectionRow::receivedRate, Quantity::count),
    PACKETS("PKTS/s", 6, 12, row -> row.packetsOutRate() + row.packetsInRate(), Quantity::count),
    OUTSTANDING("OUT", 5, 7, row -> row.status().outstanding(), Quantity::count),
    RECEIVES("RECVS", 5, 8, row -> row.status().postedReceives(), Quantity::count),
    RETRIES("RETRY", 5, 10, ConnectionRow::retries, Quantity::count),
    RNR("RNR", 5, 11, ConnectionRow::rnr, Quantity::count),
    WAIT("WAIT", 6, 9, ConnectionRow::waitNs, Column::time),
    SLOWEST("SLOWEST", 7, 14, ConnectionRow::slowestNs, Column::time),
    AGE("AGE", 6, 10, row -> row.status().ageNs(), Column::time);

    private final Field<ConnectionRow> field;
    private final int rank;
    private final ToDoubleFunction<ConnectionRow> value;

    /// A column of text.
    ///
    /// @param rank on a narrow screen, columns with the highest are left out first
    Column(String heading, int width, int rank, Function<ConnectionRow, String> text) {
        this.field = new Field<>(heading, width, false, text);
        this.rank = rank;
        this.value = null;
    }

    /// A column of numbers.
    Column(String heading, int width, int rank, ToDoubleFunction<ConnectionRow> value, DoubleFunction<String> text) {
        this.field = new Field<>(heading, width, true, row -> text.apply(value.applyAsDouble(row)));
        this.rank = rank;
        this.value = value;
    }

    private static String whole(double number) {
        return Long.toString((long) number);
    }

    private static String time(double ns) {
        return Quantity.time((long) ns);
    }

    Field<ConnectionRow> field() {
        return field;
    }

    int rank() {
        return rank;
    }

    /// The most interesting first: large numbers, and texts from A to Z. Unknown numbers are last.
    Comparator<ConnectionRow> order() {
        if (value == null) {
            return Comparator.comparing(field.text());
        }
        return Comparator.comparingDouble(row -> {
            double number = value.applyAsDouble(row);
            return Double.isNaN(number) ? 1 : -number;
        });
    }

    /// The name on the command line and in JSON.
    String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return key();
    }
}
