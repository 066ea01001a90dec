package io.verbena.bench.peer;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/// The output of `ucx_perftest -f`: a head, then one row of eight numbers, after `Final:` or blanks.
///
/// ```
/// |              |              |        latency (usec)        |   bandwidth (MB/s)  |  message rate (msg/s) |
/// |     Test     | # iterations | 50.0%ile | average | overall |  average |  overall |  average  |  overall  |
///                       100000      0.080     0.084     0.084      728.60     728.60    11937341    11937341
/// ```
///
/// Times are microseconds of one message in one direction, or of one operation.
record UcxTable(long iterations, double medianUs, double meanUs, double messagesPerSecond) {
    private static final List<String> HEAD = List.of("(usec)", "bandwidth (MB/s)", "message rate (msg/s)", "50.0%ile");
    private static final int COLUMNS = 8;

    static UcxTable parse(List<String> lines) throws IOException {
        String all = String.join("\n", lines);
        for (String column : HEAD) {
            if (!all.contains(column)) {
                throw new IOException("ucx_perftest printed no column \"" + column + "\": " + last(lines));
            }
        }
        String row = lines.reversed().stream()
                .map(line -> line.replace("Final:", "").trim())
                .filter(line -> !line.isEmpty() && Character.isDigit(line.charAt(0)))
                .findFirst()
                .orElseThrow(() -> new IOException("ucx_perftest printed no row of numbers: " + last(lines)));
        try {
            double[] n = Arrays.stream(row.split(" +"))
                    .mapToDouble(Double::parseDouble)
                    .toArray();
            if (n.length == COLUMNS && n[0] >= 1 && n[3] > 0 && n[7] > 0) {
                return new UcxTable((long) n[0], n[1], n[3], n[7]);
            }
        } catch (NumberFormatException notNumbers) {
            // reported below
        }
        throw new IOException("ucx_perftest printed a row that is not " + COLUMNS + " numbers above 0: " + row);
    }

    private static String last(List<String> lines) {
        return lines.isEmpty() ? "nothing at all" : "its last line is \"" + lines.getLast() + '"';
    }
}
