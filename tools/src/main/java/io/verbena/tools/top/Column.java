package io.verbena.tools.top;

import java.util.Comparator;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/// The columns of connections, in the order of the screen. Each can be sorted by.
enum Column {
    PID("PID", 7, 4, true, row -> Long.toString(row.pid()), ConnectionRow::pid),
    PROGRAM("PROGRAM", 14, 9, false, ConnectionRow::program),
    DEVICE("DEVICE", 16, 13, false, ConnectionRow::device),
    SHARD(
            "SH",
            2,
            15,
            true,
            row -> Integer.toString(row.status().shard()),
            row -> row.status().shard()),
    QP("QP", 8, 0, false, ConnectionRow::number),
    PEER("PEER", 21, 1, false, ConnectionRow::peer),
    PATH("PATH", 4, 5, false, ConnectionRow::path),
    STATE("STATE", 5, 2, false, ConnectionRow::state),
    SENT("SENT/s", 6, 3, true, row -> Quantity.count(row.sentRate()), ConnectionRow::sentRate),
    RECEIVED("RECV/s", 6, 6, true, row -> Quantity.count(row.receivedRate()), ConnectionRow::receivedRate),
    PACKETS(
            "PKTS/s",
            6,
            12,
            true,
            row -> Quantity.count(row.packetsOutRate() + row.packetsInRate()),
            row -> row.packetsOutRate() + row.packetsInRate()),
    OUTSTANDING(
            "OUT",
            5,
            7,
            true,
            row -> Quantity.count(row.status().outstanding()),
            row -> row.status().outstanding()),
    RECEIVES(
            "RECVS",
            5,
            8,
            true,
            row -> Quantity.count(row.status().postedReceives()),
            row -> row.status().postedReceives()),
    RETRIES("RETRY", 5, 10, true, row -> Quantity.count(row.retries()), ConnectionRow::retries),
    RNR("RNR", 5, 11, true, row -> Quantity.count(row.rnr()), ConnectionRow::rnr),
    WAIT("WAIT", 6, 9, true, row -> Quantity.time(row.waitNs()), ConnectionRow::waitNs),
    SLOWEST("SLOWEST", 7, 14, true, row -> Quantity.time(row.slowestNs()), ConnectionRow::slowestNs),
    AGE(
            "AGE",
            6,
            10,
            true,
            row -> Quantity.time(row.status().ageNs()),
            row -> row.status().ageNs());

    private final String heading;
    private final int width;
    private final int rank;
    private final boolean isNumber;
    private final Function<ConnectionRow, String> text;
    private final ToDoubleFunction<ConnectionRow> value;

    /// A column of text.
    Column(String heading, int width, int rank, boolean isNumber, Function<ConnectionRow, String> text) {
        this(heading, width, rank, isNumber, text, null);
    }

    /// @param rank on a narrow screen, columns with the highest are left out first
    /// @param value for sorting; null to sort by text
    Column(
            String heading,
            int width,
            int rank,
            boolean isNumber,
            Function<ConnectionRow, String> text,
            ToDoubleFunction<ConnectionRow> value) {
        this.heading = heading;
        this.width = width;
        this.rank = rank;
        this.isNumber = isNumber;
        this.text = text;
        this.value = value;
    }

    String heading() {
        return heading;
    }

    int width() {
        return width;
    }

    int rank() {
        return rank;
    }

    boolean isNumber() {
        return isNumber;
    }

    String text(ConnectionRow row) {
        return text.apply(row);
    }

    /// The most interesting first: large numbers, and texts from A to Z. Unknown numbers are last.
    Comparator<ConnectionRow> order() {
        if (value == null) {
            return Comparator.comparing(text);
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
