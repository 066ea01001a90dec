package io.verbena.tools.demo;

/// The client's requests to the server during measurements, each with two numbers. The server answers all but [#PING]
/// with [#ANSWER].
enum Command {
    ANSWER,
    /// A message to be sent back.
    PING,
    /// [bytes]: allocate memory that the client may WRITE; answer: address and key.
    MEMORY,
    /// [bytes, seed]: compare that much of the memory with the pattern; answer: offset of the first wrong byte, or -1.
    /// Negative seeds are those of the warm-up, which is not shown.
    VERIFY,
    /// Open a TCP socket; answer: its port.
    TCP_OPEN,
    /// Send back TCP messages until the last.
    TCP_ECHO,
    /// [port of the client, bytes of a round]: open a datagram socket; answer: its port and how many datagrams it can
    /// hold.
    DATAGRAM_OPEN,
    /// Take one round of datagrams.
    DATAGRAMS,
    /// The end.
    END;

    private static final Command[] BY_ORDINAL = values();

    static Command of(int ordinal) {
        return BY_ORDINAL[ordinal];
    }
}
