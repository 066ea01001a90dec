package io.verbena.tools.demo;

/// What the client asks the server for while they measure; two numbers go with each. All but [#PING] are answered by
/// [#ANSWER] first.
enum Command {
    ANSWER,
    /// To be sent back as it is.
    PING,
    /// [bytes]: allocate memory that the client may write; answer: address and key.
    MEMORY,
    /// [bytes, seed]: compare that much of the memory with the pattern; answer: place of the first wrong byte, or -1.
    /// Seeds below zero are those of the warm-up, of which nothing is shown.
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
