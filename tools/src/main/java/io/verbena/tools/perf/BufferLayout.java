package io.verbena.tools.perf;

/// Where messages lie in a side's buffer: for each queue pair an area to send from, behind all of these one
/// each to receive into. Messages of up to half a page do not all lie in one place: they walk over a page
/// (`cycle`) in steps of whole cache lines.
///
/// `cycle` and `cacheLine` are what both sides agreed on; `prefix` is what comes before a received message: 40 bytes
/// of addresses in front of datagrams.
record BufferLayout(int largest, int cycle, int cacheLine, int queuePairs, int prefix) {
    static final int PAGE = 4096;
    static final int CACHE_LINE = 64;
    static final int DATAGRAM_PREFIX = 40;

    long area() {
        return roundUp(Math.max(largest, cycle), cacheLine);
    }

    long receiveArea() {
        return area() + roundUp(prefix, cacheLine);
    }

    long sendOffset(int queuePair) {
        return queuePair * area();
    }

    long receiveOffset(int queuePair) {
        return queuePairs * area() + queuePair * receiveArea();
    }

    long bytes() {
        return queuePairs * (area() + receiveArea());
    }

    /// From one message to the next.
    int stride(int size) {
        return (int) roundUp(Math.max(size, 1), cacheLine);
    }

    /// How many places messages of that size walk over.
    int places(int size) {
        return size <= cycle / 2 ? cycle / stride(size) : 1;
    }

    private static long roundUp(long value, int unit) {
        return (value + unit - 1) / unit * unit;
    }
}
