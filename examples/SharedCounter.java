import module io.verbena.endpoint;

/// A counter in the memory of a server. Three clients add to it at once by an atomic operation, and no update is lost.
static final int ROUNDS = 1000;

void main() {
    try (Arena arena = Arena.ofShared(); // closed last: peers may use the memory until the server is closed
            EndpointServer server = Endpoint.listen("127.0.0.1", 7478)) {
        MemorySegment counter = arena.allocate(ValueLayout.JAVA_LONG);
        server.export("counter", counter, Access.REMOTE_ATOMIC);
        List<CompletableFuture<Void>> clients = Stream.of("Ann", "Bob", "Cid")
                .map(name -> CompletableFuture.runAsync(() -> count(name), Thread::startVirtualThread)).toList();
        clients.forEach(CompletableFuture::join);
        IO.println("server: the counter is " + counter.get(ValueLayout.JAVA_LONG, 0));
    }
}

void count(String name) {
    try (Connection connection = Endpoint.connect("127.0.0.1", 7478)) {
        RemoteMemory counter = connection.remote("counter");
        long before = 0;
        for (int round = 0; round < ROUNDS; round++) {
            before = counter.fetchAdd(0, 1);
        }
        IO.println(name + ": added 1 " + ROUNDS + " times, last to " + before);
    }
}
