package io.verbena.tools.perf;

import java.util.Locale;

/// The eight tests. Their names are those of the C programs without `ib_`.
public enum PerfTest {
    SEND_LAT(Verb.SEND, true),
    SEND_BW(Verb.SEND, false),
    WRITE_LAT(Verb.WRITE, true),
    WRITE_BW(Verb.WRITE, false),
    READ_LAT(Verb.READ, true),
    READ_BW(Verb.READ, false),
    ATOMIC_LAT(Verb.ATOMIC, true),
    ATOMIC_BW(Verb.ATOMIC, false);

    /// The operation that is measured.
    public enum Verb {
        SEND,
        WRITE,
        READ,
        ATOMIC;

        /// READs and atomics return data: their latency is the whole round trip, not half of it.
        public boolean isFetch() {
            return this == READ || this == ATOMIC;
        }
    }

    private final Verb verb;
    private final boolean latency;

    PerfTest(Verb verb, boolean latency) {
        this.verb = verb;
        this.latency = latency;
    }

    public Verb verb() {
        return verb;
    }

    /// Whether the test measures latency; else it measures bandwidth.
    public boolean isLatency() {
        return latency;
    }

    /// The name on the command line: `send-lat`.
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// The C program of the same test: `ib_send_lat`.
    public String program() {
        return "ib_" + name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return label();
    }

    /// The test of that label or C program, or null.
    public static PerfTest of(String text) {
        for (PerfTest test : values()) {
            if (text.equals(test.label()) || text.equals(test.program())) {
                return test;
            }
        }
        return null;
    }
}
