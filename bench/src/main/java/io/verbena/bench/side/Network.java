package io.verbena.bench.side;

import java.util.ArrayList;
import java.util.List;

/// Where the two sides of a contestant run, and how they reach each other.
///
/// - `server`, `client`: the words before the command of a process of that side; none for this process's own network
/// - `serverAddress`, `clientAddress`: IPv4
/// - `device`: the name of the network interface, the same on both sides
public record Network(
        List<String> server, List<String> client, String serverAddress, String clientAddress, String device) {
    public static final Network LOOPBACK = new Network(List.of(), List.of(), "127.0.0.1", "127.0.0.1", "lo");

    public boolean isLoopback() {
        return equals(LOOPBACK);
    }

    /// The command of a process of one side.
    public List<String> command(boolean ofServer, List<String> command) {
        List<String> words = new ArrayList<>(ofServer ? server : client);
        words.addAll(command);
        return words;
    }
}
