package io.verbena.soft.status;

/// The form of a status on a Unix-domain socket. A process sends it to each program that connects, and closes the
/// connection; it reads nothing. All numbers are big-endian: magic number (4 bytes), version (2), 0 (2), length of the
/// rest (4), and the rest.
final class StatusFormat {
    /// `VTOP` in ASCII.
    static final int MAGIC = 0x5654_4F50;

    /// Increases with each change: programs of other versions say so instead of showing wrong numbers.
    static final int VERSION = 1;

    static final int HEADER_BYTES = 12;

    /// More than [#MOST_CONNECTIONS] take.
    static final int MOST_BYTES = 64 << 20;

    static final int MOST_CONNECTIONS = 1 << 17;
    static final int MOST_TEXT_BYTES = 1024;

    /// Of a connection.
    static final int CONNECTION_BYTES = 3 * Byte.BYTES + 2 * Byte.BYTES + 9 * Integer.BYTES + 13 * Long.BYTES;

    private StatusFormat() {}
}
