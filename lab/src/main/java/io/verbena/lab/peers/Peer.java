package io.verbena.lab.peers;

/// A C program and what speaks with it on our side: the command lines of both roles. In them `{c}` and `{c6}` stand for
/// the IPv4 and IPv6 address of the C program, `{ours}` and `{ours6}` for ours, `{port}` for a port of its own.
///
/// @param name the C program
/// @param what the amount of work, for the list of results
/// @param ready how to see that a server of the C program may be called
record Peer(String name, String what, Ready ready, Side c, Side ours) {

    /// The command lines of one side.
    record Side(String server, String client) {}

    /// Where a server that waits can be seen.
    enum Ready {
        /// A TCP port listens.
        TCP,
        /// An id of the connection manager listens.
        CONNECTION_MANAGER,
        /// Nowhere: it has joined a group after a while.
        GROUP
    }

    /// Who is the client.
    enum Direction {
        C_CLIENT("C client, our server"),
        OUR_CLIENT("our client, C server");

        private final String text;

        Direction(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
