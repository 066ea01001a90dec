package io.verbena.lab.peers;

import java.util.List;

/// A test that is measured in C and in Java with the same options.
///
/// @param test the name in `perf`
/// @param counted whether the clock counts instructions, one per nanosecond
record LanguageComparison(String test, int size, String options, boolean counted) {
    private static final int TYPICAL_LATENCY = 4;
    private static final int AVERAGE_BANDWIDTH = 3;
    private static final double MEGABYTE = 1 << 20;

    /// The tests that are measured in time, on two processors.
    static List<LanguageComparison> inTime() {
        String few = "-n 2000";
        String many = "-n 4000 -t 128";
        return List.of(
                new LanguageComparison("send-lat", 64, few, false),
                new LanguageComparison("write-lat", 64, few, false),
                new LanguageComparison("read-lat", 64, few, false),
                new LanguageComparison("send-bw", 4096, many, false),
                new LanguageComparison("write-bw", 4096, many, false));
    }

    /// The tests that are measured in instructions, on one processor. Two processes cannot both spin there: `send-lat`
    /// and `send-bw` sleep until completions come. `write-lat` cannot sleep, so one WRITE at a time replaces it.
    static List<LanguageComparison> inInstructions() {
        return List.of(
                new LanguageComparison("send-lat", 64, "-n 1000 -e", true),
                new LanguageComparison("write-bw", 64, "-n 10000 -t 1", true),
                new LanguageComparison("read-lat", 64, "-n 1000", true),
                new LanguageComparison("send-bw", 4096, "-n 10000 -t 128 -e", true),
                new LanguageComparison("write-bw", 4096, "-n 10000 -t 128", true));
    }

    String name() {
        return test + " -s " + size + " " + options;
    }

    private boolean isLatency() {
        return test.endsWith("lat");
    }

    String unit() {
        return counted ? "instructions a message" : isLatency() ? "us" : "MB/s";
    }

    /// The command line of the C server; the client's also has the server's address.
    String c(String device, int port) {
        return "ib_%s -d %s -x 1 -F -p %d -s %d %s".formatted(test.replace('-', '_'), device, port, size, options);
    }

    /// The command line of our client.
    String ours(String from, int port, String server) {
        return "perf %s %s --device %s -p %d -s %d %s".formatted(test, server, from, port, size, options);
    }

    /// The median latency or the average bandwidth in the table that both programs print.
    double value(int exitCode, String output) {
        String bytes = Integer.toString(size);
        double printed = output.lines()
                .map(line -> line.strip().split("\\s+"))
                .filter(columns -> exitCode == 0 && columns.length > TYPICAL_LATENCY && columns[0].equals(bytes))
                .reduce((_, last) -> last)
                .map(columns -> Double.parseDouble(columns[isLatency() ? TYPICAL_LATENCY : AVERAGE_BANDWIDTH]))
                .orElseThrow(() -> new IllegalStateException(name() + " ended with " + exitCode + ": " + output));
        return counted ? instructions(printed) : printed;
    }

    private double instructions(double printed) {
        return isLatency() ? printed * 1e3 : size / (printed * MEGABYTE) * 1e9;
    }
}
