package io.verbena.spark.jobs;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What a job did, as a line that the driver prints.
///
/// @param remoteBytes what Spark counted as fetched from other executors
/// @param readBytes what came by RDMA READ; with sockets, all that executors read by RDMA
/// @param otherBytes what the shuffle by RDMA fetched in Spark's own way
/// @param waitMs how long tasks waited for blocks
/// @param cpuMs what the executors used that are there at the end; negative when one that had worked long was killed
/// @param retries how many stages were tried again
record Result(
        Job job,
        long ms,
        long remoteBytes,
        long localBytes,
        long readBytes,
        long otherBytes,
        long waitMs,
        long cpuMs,
        long retries,
        String outcome) {
    private static final String FORMAT =
            "JOB %s ms=%d remote=%d local=%d read=%d other=%d wait=%d cpu=%d retries=%d outcome=%s";
    private static final Pattern LINE = Pattern.compile("JOB (\\w+) ms=(\\d+) remote=(\\d+) local=(\\d+) read=(\\d+)"
            + " other=(\\d+) wait=(\\d+) cpu=(-?\\d+) retries=(\\d+) outcome=(.*)");

    @Override
    public String toString() {
        return FORMAT.formatted(
                job, ms, remoteBytes, localBytes, readBytes, otherBytes, waitMs, cpuMs, retries, outcome);
    }

    /// Null when the line is none of a job.
    static Result parse(String line) {
        Matcher match = LINE.matcher(line);
        if (!match.matches()) {
            return null;
        }
        long[] numbers = new long[8];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = Long.parseLong(match.group(i + 2));
        }
        return new Result(
                Job.valueOf(match.group(1)),
                numbers[0],
                numbers[1],
                numbers[2],
                numbers[3],
                numbers[4],
                numbers[5],
                numbers[6],
                numbers[7],
                match.group(10));
    }
}
