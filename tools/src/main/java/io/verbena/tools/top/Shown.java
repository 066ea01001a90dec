package io.verbena.tools.top;

/// The counters of devices that have columns of their own, by their names.
final class Shown {
    static final String PACKETS_OUT = "packets sent";
    static final String PACKETS_IN = "packets received";
    static final String BYTES_OUT = "bytes sent";
    static final String BYTES_IN = "bytes received";
    static final String SHARED = "messages over shared memory";
    static final String RETRANSMITTED = "packets retransmitted";

    private Shown() {}
}
