import module io.verbena.verbs;

/// A question and its answer: SEND and RECEIVE over a connection. `both` (or no argument) runs both sides here;
/// `server` in one shell and `client` in another make two processes of it.
static final int PORT = 7471;
static final Duration LIMIT = Duration.ofSeconds(20);

void main(String[] arguments) {
    String address = arguments.length > 1 ? arguments[1] : "127.0.0.1";
    switch (arguments.length > 0 ? arguments[0] : "both") {
        case "both" -> {
            ConnectionId listener = listen(address);
            var server = CompletableFuture.runAsync(() -> serve(listener, LIMIT));
            ask(address, "what is RDMA?");
            server.join();
        }
        case "server" -> serve(listen(address), Duration.ofHours(1));
        case "client" -> ask(address, "what is RDMA?");
        default -> {
            System.err.println("usage: SendReceive [both|server|client] [ADDRESS]");
            System.exit(2);
        }
    }
}

ConnectionId listen(String address) {
    ConnectionId listener = Rdma.connectionManager().createSynchronousId(PortSpace.TCP);
    listener.bind(new InetSocketAddress(address, PORT));
    listener.listen(0);
    IO.println("server: listening on " + listener.localAddress());
    return listener;
}

void serve(ConnectionId listener, Duration patience) {
    ConnectionId id = listener.awaitRequest(patience);
    if (id == null) {
        throw new IllegalStateException("no client came in " + patience);
    }
    CompletionQueue cq = id.context().createCompletionQueue(16);
    try (listener; id; MemoryRegion buffer = id.protectionDomain().allocate(256, Access.LOCAL_WRITE)) {
        QueuePair qp = id.createQueuePair(id.protectionDomain(), QueuePairOptions.rc(cq));
        qp.post(qp.newReceiveRequest().into(buffer, 0, 256)); // first a place for the message, then the connection
        id.accept(ConnectionParameters.DEFAULT);
        long length = await(cq, 1); // the RECEIVE
        IO.println("server: received " + length + " bytes: " + buffer.memory().getString(0));
        buffer.memory().setString(0, "memory of another machine, without its processor");
        qp.post(qp.newSendRequest().send().from(buffer, 0, 64).signaled());
        await(cq, 1); // the SEND: on a reliable connection this says that the message is at the peer's
    }
    cq.close(); // after the id, whose queue pair used it
}

void ask(String address, String question) {
    ConnectionManager cm = Rdma.connectionManager();
    ConnectionId id = cm.createEndpoint(PortSpace.TCP, null, new InetSocketAddress(address, PORT), LIMIT);
    CompletionQueue cq = id.context().createCompletionQueue(16);
    try (id; MemoryRegion buffer = id.protectionDomain().allocate(512, Access.LOCAL_WRITE)) {
        QueuePair qp = id.createQueuePair(id.protectionDomain(), QueuePairOptions.rc(cq));
        id.connect(ConnectionParameters.DEFAULT);
        buffer.memory().setString(0, question);
        qp.post(qp.newReceiveRequest().into(buffer, 256, 256)); // before the SEND: the answer needs a place
        qp.post(qp.newSendRequest().send().from(buffer, 0, question.length() + 1).signaled());
        await(cq, 2); // the SEND and the RECEIVE, whichever is first
        IO.println("client: the answer is: " + buffer.memory().getString(256));
        id.disconnect();
    }
    cq.close();
}

/// Waits for so many completions and returns the length of the last. This one spins; EventServer shows how not to.
long await(CompletionQueue cq, int count) {
    long[] length = new long[1];
    int done = cq.poll(completion -> {
        if (!completion.isSuccess()) {
            throw new IllegalStateException(completion.status().explain());
        }
        length[0] = completion.byteLength();
    }, count, LIMIT);
    if (done < count) {
        throw new IllegalStateException("only " + done + " of " + count + " requests were done in " + LIMIT);
    }
    return length[0];
}
