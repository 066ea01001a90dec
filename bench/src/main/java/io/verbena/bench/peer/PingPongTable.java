package io.verbena.bench.peer;

import java.io.IOException;
import java.util.List;

/// The output of `fi_pingpong`:
///
/// ```
/// bytes   #sent   #ack     total       time     MB/sec    usec/xfer   Mxfers/sec
/// 64      20k     =20k     2.4m        0.01s    182.65       0.35       2.85
/// ```
///
/// A transfer is one message in one direction; MB are millions of bytes.
///
/// - `transferUs`: mean microseconds of one message in one direction
record PingPongTable(int bytes, double transferUs) {
    private static final List<String> HEAD =
            List.of("bytes", "#sent", "#ack", "total", "time", "MB/sec", "usec/xfer", "Mxfers/sec");

    static PingPongTable parse(List<String> lines) throws IOException {
        List<String[]> rows = lines.stream()
                .map(line -> line.trim().split(" +"))
                .filter(words -> words.length == HEAD.size())
                .toList();
        if (rows.size() != 2 || !List.of(rows.getFirst()).equals(HEAD)) {
            throw new IOException("fi_pingpong did not print its usual head and one row, but: "
                    + (lines.isEmpty() ? "nothing at all" : String.join(" | ", lines)));
        }
        String[] row = rows.getLast();
        if (!row[2].startsWith("=")) {
            throw new IOException("fi_pingpong lost messages: it sent " + row[1] + " and got " + row[2]);
        }
        try {
            int bytes = bytes(row[0]);
            double megabytes = Double.parseDouble(row[5]);
            double us = Double.parseDouble(row[6]);
            // Both columns have the same value with two decimals: the larger number is more exact.
            double transferUs = megabytes > us ? bytes / megabytes : us;
            if (transferUs > 0) {
                return new PingPongTable(bytes, transferUs);
            }
        } catch (NumberFormatException notNumbers) {
            // reported below
        }
        throw new IOException("fi_pingpong printed no numbers: " + String.join(" ", row));
    }

    private static int bytes(String text) {
        int scale = switch (text.charAt(text.length() - 1)) {
            case 'k' -> 1 << 10;
            case 'm' -> 1 << 20;
            default -> 1;
        };
        return scale * Integer.parseInt(scale == 1 ? text : text.substring(0, text.length() - 1));
    }
}
