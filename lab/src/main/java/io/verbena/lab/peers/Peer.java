package io.verbena.lab.peers;

import java.util.List;

/// A C program and its peer on our side: the command lines of both roles. In them `{c}` and `{c6}` are the IPv4 and
/// IPv6 address of the C program, `{ours}` and `{ours6}` ours, `{port}` a port of its own.
///
/// @param name the C program
/// @param what the amount of work, for the list of results
/// @param ready how to find out that the C server is ready
/// @param times how often it is run; it passes when all runs do
record Peer(String name, String what, Ready ready, CommandLines c, CommandLines ours, int times) {
    Peer(String name, String what, Ready ready, CommandLines c, CommandLines ours) {
        this(name, what, ready, c, ours, 1);
    }

    Peer repeated(int count) {
        return new Peer(name, count + " times " + what, ready, c, ours, count);
    }

    /// Whether the C program is run with that option.
    boolean has(String option) {
        return List.of(c.client.split(" +")).contains(option);
    }

    /// The command lines of one side.
    record CommandLines(String server, String client) {}

    /// Where a listening server can be seen.
    enum Ready {
        /// A TCP port listens.
        TCP,
        /// An id of the connection manager listens.
        CONNECTION_MANAGER,
        /// Nowhere: wait until it has joined its group.
        GROUP
    }

    /// Which side is the client.
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
