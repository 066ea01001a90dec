package io.verbena.endpoint;

import java.time.Duration;

/// The process of [KilledPeerTest] that is killed: a client that sends one message and waits, or a server that returns
/// messages.
final class KilledProgram {
    private KilledProgram() {}

    public static void main(String[] arguments) {
        if (arguments[0].equals("client")) {
            try (Connection connection = Endpoint.connect(arguments[1], Integer.parseInt(arguments[2]))) {
                connection.send("hello");
                connection.receive(Duration.ofMinutes(2));
            }
        } else {
            try (EndpointServer server = Endpoint.listen(arguments[1], 0)) {
                System.out.println("listening " + server.port());
                server.serve(connection -> {
                    for (Message message : connection) {
                        connection.send(message);
                    }
                });
            }
        }
    }
}
