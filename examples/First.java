import module io.verbena.endpoint;

/// A server that returns every message, and a client, in one process. Needs no adapter, no root and no set-up.
void main() {
    try (EndpointServer server = Endpoint.listen("127.0.0.1", 7470)) {
        Thread.startVirtualThread(() -> server.serve(client -> {
            for (Message message : client) client.send(message);
        }));
        try (Connection connection = Endpoint.connect("127.0.0.1", 7470)) {
            connection.send("hello, endpoint");
            try (Message answer = connection.receive(Duration.ofSeconds(2))) {
                IO.println(answer.text());
            }
        }
    }
}
