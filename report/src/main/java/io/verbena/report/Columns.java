package io.verbena.report;

import java.util.List;

/// A table whose cells begin below their titles, as in perftest: the positions are those of the titles in the header.
public final class Columns {
    private final String header;
    private final int[] starts;

    /// @param titles the parts of the header, in their order
    public Columns(String header, List<String> titles) {
        this.header = header;
        starts = new int[titles.size()];
        int at = 0;
        for (int i = 0; i < starts.length; i++) {
            starts[i] = header.indexOf(titles.get(i), at);
            at = starts[i] + titles.get(i).length();
        }
    }

    /// A table with two spaces between the titles.
    public static Columns of(List<String> titles) {
        return new Columns(" " + String.join("  ", titles), titles);
    }

    public String header() {
        return header;
    }

    /// A cell that is too wide moves the cells after it, and stays separated from them.
    public String row(List<String> cells) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.size(); i++) {
            int gap = Math.max(starts[i] - line.length(), 1);
            line.append(" ".repeat(gap)).append(cells.get(i));
        }
        return line.toString();
    }
}
