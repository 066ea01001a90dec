package io.verbena.lab.peers;

import java.util.List;

/// A test that is measured in C and in Java with the same options.
///
/// @param name as `perf` calls it, with `-e` for one that waits for events
record Comparison(String name, String options) {
    private static final int TYPICAL_LATENCY = 4;
    private static final int AVERAGE_BANDWIDTH = 3;

    static List<Comparison> all() {
        String latency = "-s 64 -n 2000";
        String bandwidth = "-s 4096 -n 4000 -t 128";
        return List.of(
                new Comparison("send-lat", latency),
                new Comparison("write-lat", latency),
                new Comparison("read-lat", latency),
                new Comparison("send-bw", bandwidth),
                new Comparison("write-bw", bandwidth),
                new Comparison("send-lat -e", latency),
                new Comparison("send-bw -e", bandwidth));
    }

    private boolean isLatency() {
        return name.contains("lat");
    }

    String unit() {
        return isLatency() ? "us" : "MB/s";
    }

    private String test() {
        return name.split(" ")[0];
    }

    private String all(String name) {
        return options + (name.endsWith(" -e") ? " -e" : "");
    }

    /// The line of the C program for its server; the client's has the server's address, too.
    String c(String device, int port) {
        return "ib_%s -d %s -x 1 -F -p %d %s".formatted(test().replace('-', '_'), device, port, all(name));
    }

    /// The line of our client.
    String ours(String from, int port, String server) {
        return "perf %s %s --device %s -p %d %s".formatted(test(), server, from, port, all(name));
    }

    /// The median latency or the average bandwidth from the table that both programs print.
    double value(int exitCode, String output) {
        String size = options.split(" ")[1];
        return output.lines()
                .map(line -> line.strip().split("\\s+"))
                .filter(columns -> exitCode == 0 && columns.length > TYPICAL_LATENCY && columns[0].equals(size))
                .reduce((_, last) -> last)
                .map(columns -> Double.parseDouble(columns[isLatency() ? TYPICAL_LATENCY : AVERAGE_BANDWIDTH]))
                .orElseThrow(() -> new IllegalStateException(name + " ended with " + exitCode + ": " + output));
    }
}
