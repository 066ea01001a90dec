package io.verbena.tools.perf;

import java.util.Locale;

/// The eight tests, by the names of the C programs without their `ib_`.
public enum PerfTest {
    SEND_LAT(Verb.SEND, true),
    SEND_BW(Verb.SEND, false),
    WRITE_LAT(Verb.WRITE, true),
    WRITE_BW(Verb.WRITE, false),
    READ_LAT(Verb.READ, true),
    READ_BW(Verb.READ, false),
    ATOMIC_LAT(Verb.ATOMIC, true),
    ATOMIC_BW(Verb.ATOMIC, false);

    /// What is measured.
    public enum Verb {
        SEND,
        WRITE,
        READ,
        ATOMIC;

        /// READs and atomics bring something back: the time until then is all of the round trip.
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

    /// Else it measures bandwidth.
    public boolean isLatency() {
        return latency;
    }

    /// As on the command line: `send-lat`.
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

    /// The test of that label, or null; the name of the C program will do, too.
    public static PerfTest of(String text) {
        for (PerfTest test : values()) {
            if (text.equals(test.label()) || text.equals(test.program())) {
                return test;
            }
        }
        return null;
    }
}
