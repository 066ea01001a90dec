import module io.verbena.endpoint;

/// A server returns every message to its sender. Three clients use it at once, each in a thread of its own.
static final String ADDRESS = "127.0.0.1";
static final int PORT = 7476;

void main() {
    try (EndpointServer server = Endpoint.listen(ADDRESS, PORT)) {
        Thread.startVirtualThread(() -> server.serve(client -> { // in a virtual thread for each client
            for (Message message : client) client.send(message); // until the client closes its connection
        }));
        List<CompletableFuture<Void>> clients = Stream.of("Ann", "Bob", "Cid")
                .map(name -> CompletableFuture.runAsync(() -> talk(name), Thread::startVirtualThread)).toList();
        clients.forEach(CompletableFuture::join);
    }
}

void talk(String name) {
    try (Connection connection = Endpoint.connect(ADDRESS, PORT)) {
        int right = 0;
        for (int n = 0; n < 1000; n++) {
            connection.send(name + " " + n);
            try (Message answer = connection.receive(Duration.ofSeconds(5))) {
                right += answer.text().equals(name + " " + n) ? 1 : 0;
            }
        }
        IO.println(name + ": " + right + " of 1000 messages came back");
    }
}
