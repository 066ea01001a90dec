package io.verbena.applications.speed;

/// A connected client that measures.
interface Client {
    /// One round of the case, with its result in the unit of the case.
    double round() throws Exception;

    /// The median of times, in microseconds.
    static double medianUs(long[] timesNs) {
        java.util.Arrays.sort(timesNs);
        return timesNs[timesNs.length / 2] / 1000.0;
    }
}
