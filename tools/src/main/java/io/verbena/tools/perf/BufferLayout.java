package io.verbena.tools.perf;

/// The layout of a side's buffer: one send area for each queue pair, then one receive area for each. Messages of up to
/// half a page do not share one address: successive messages advance through a page (`cycle`) in whole cache lines.
///
/// `cycle` and `cacheLine` are what both sides agreed on. `prefix` is the length of the header before a received
/// message: 40 bytes of addresses for datagrams, else 0.
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

    /// Distance from one message to the next, in bytes.
    int stride(int size) {
        return (int) roundUp(Math.max(size, 1), cacheLine);
    }

    /// Number of slots that messages of that size rotate through.
    int slots(int size) {
        return size <= cycle / 2 ? cycle / stride(size) : 1;
    }

    private static long roundUp(long value, int unit) {
        return (value + unit - 1) / unit * unit;
    }
}
