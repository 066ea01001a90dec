package io.verbena.tools.demo;

import io.verbena.tools.plain.DatagramStream;
import io.verbena.tools.text.Style;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Prints the measurements as tables. `overUdp` are the results over UDP, or null.
record ResultTable(PrintWriter out, Results results, Results overUdp) {
    private static final int LABEL = 32;
    private static final String OVER_UDP = "the same, in two processes of their own";

    void print(PeerOptions options) {
        out.println();
        say(
                Style.BOLD,
                "Round trip of %d bytes in microseconds, both sides busy-polling, in turns, %d rounds",
                Link.MESSAGE_BYTES,
                options.rounds());
        List<String> names = new ArrayList<>(Results.PERCENTILE_NAMES);
        names.add("count");
        line("", names.toArray());
        roundTrips(results, "p50 of TCP by p50 of Verbena; above 1 Verbena is faster");
        if (overUdp != null) {
            roundTrips(overUdp, OVER_UDP);
        }
        say(Style.DIM, "  A round lasts half a second at most: count says how many round trips were made in all.");
        out.println();
        say(
                Style.BOLD,
                "One-way stream in GB/s, median of %d x %s each, in turns",
                options.rounds(),
                bytes(options.bytesOfRound()));
        stream(results, options, "Verbena by datagrams; above 1 Verbena is faster");
        if (overUdp != null) {
            stream(overUdp, options, OVER_UDP);
        }
        say(
                Style.DIM,
                "  The plain stream: DatagramChannel, at most %.0f datagrams unacknowledged, receiver copies each to its place.",
                Results.median(results.values("datagram window")));
        say(
                Style.DIM,
                "  It is acknowledged every %d datagrams, has no checksum of its own and repeats nothing.",
                DatagramStream.ACK_EVERY);
    }

    private void say(Style style, String format, Object... values) {
        say(out, style, format, values);
    }

    static void say(PrintWriter out, Style style, String format, Object... values) {
        out.println(style.on(String.format(Locale.ROOT, format, values)));
    }

    private void stream(Results from, PeerOptions options, String meaning) {
        line(bytes(options.writeBytes()) + " RDMA WRITE, " + from.path(), number(from.bandwidth("verbena")));
        line("plain 4 KiB datagrams", number(from.bandwidth("datagrams")));
        ratio(from.bandwidthRatio(), meaning);
    }

    private void roundTrips(Results from, String meaning) {
        line("Verbena SEND, " + from.path(), numbers(from, "verbena"));
        line("plain TCP SocketChannel", numbers(from, "tcp"));
        ratio(1 / from.roundTripRatio(), meaning);
    }

    private static Object[] numbers(Results from, String name) {
        double[] us = from.microseconds(name);
        Object[] cells = new Object[us.length + 1];
        cells[us.length] = from.count(name);
        for (int i = 0; i < us.length; i++) {
            cells[i] = number(us[i]);
        }
        return cells;
    }

    private void ratio(double ratio, String meaning) {
        String text = Style.DIM.on("(" + meaning + ")");
        out.printf(Locale.ROOT, "  %-" + LABEL + "s%9.2f  %s%n", "times as fast", ratio, text);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value < 100 ? "%.2f" : "%.0f", value);
    }

    private void line(String label, Object... cells) {
        StringBuilder text = new StringBuilder(String.format(Locale.ROOT, "  %-" + LABEL + "s", label));
        for (Object cell : cells) {
            text.append(String.format(Locale.ROOT, "%9s", cell));
        }
        out.println(text);
    }

    static String bytes(long bytes) {
        if (bytes >= 1 << 20 && bytes % (1 << 20) == 0) {
            return (bytes >> 20) + " MiB";
        }
        return bytes >= 1 << 10 && bytes % (1 << 10) == 0 ? (bytes >> 10) + " KiB" : bytes + " bytes";
    }
}
