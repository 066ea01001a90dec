package io.verbena.tools.ping;

import io.verbena.tools.program.ServerCommand;
import io.verbena.verbs.cm.ConnectionManager;
import java.net.InetSocketAddress;
import java.time.Duration;

/// Both addresses, and the timeouts.
///
/// - `source`: the address to connect from, or null for any
/// - `step`: how long a call of the connection manager may take
/// - `timeout`: how long the peer may keep silent; zero: for ever
record PingPlace(
        ConnectionManager cm, InetSocketAddress source, InetSocketAddress server, Duration step, Duration timeout) {
    /// The command that starts the server.
    String startServer() {
        return ServerCommand.of("verbena ping", server, PingCommand.PORT);
    }
}
