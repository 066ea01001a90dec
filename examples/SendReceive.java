import module io.verbena.verbs;

/// A question and its answer: SEND and RECEIVE over a connection. `both` (or no argument) runs both sides in this
/// process. For two processes start `server` in one shell and `client` in another.
static final int PORT = 7471;
static final Duration LIMIT = Duration.ofSeconds(20);
static final ConnectionManager CM = Rdma.connectionManager();

void main(String[] arguments) {
    String address = arguments.length > 1 ? arguments[1] : "127.0.0.1";
    switch (arguments.length > 0 ? arguments[0] : "both") {
        case "both" -> {
            try (ConnectionId listener = listen(address)) {
                var server = CompletableFuture.runAsync(() -> serve(listener, LIMIT), Thread::startVirtualThread);
                ask(address, "what is RDMA?");
                server.join();
            }
        }
        case "server" -> {
            try (ConnectionId listener = listen(address)) {
                serve(listener, Duration.ofHours(1));
            }
        }
        case "client" -> ask(address, "what is RDMA?");
        default -> {
            System.err.println("usage: SendReceive [both|server|client] [ADDRESS]");
            System.exit(2);
        }
    }
}

ConnectionId listen(String address) {
    ConnectionId listener = CM.createEndpoint(PortSpace.TCP, new InetSocketAddress(address, PORT), null, LIMIT);
    listener.listen(0);
    IO.println("server: listening on " + listener.localAddress());
    return listener;
}

void serve(ConnectionId listener, Duration patience) {
    try (ConnectionId id = Objects.requireNonNull(listener.awaitRequest(patience), "no client connected in time");
            MemoryRegion buffer = id.protectionDomain().allocate(256, Access.LOCAL_WRITE)) {
        QueuePair qp = id.createQueuePair(QueuePairOptions.rc()); // closed with the id, as its completion queues are
        qp.post(qp.newReceiveRequest().into(buffer, 0, 256)); // before accepting: the client may send at once
        id.accept(ConnectionParameters.DEFAULT);
        long length = await(qp.receiveCq());
        IO.println("server: received " + length + " bytes: " + buffer.memory().getString(0));
        buffer.memory().setString(0, "memory of another machine, without its processor");
        qp.post(qp.newReceiveRequest().into(buffer, 64, 64)); // no message comes: it ends when the client leaves
        qp.post(qp.newSendRequest().send().from(buffer, 0, 64));
        qp.receiveCq().poll(flushed -> {}, 1, LIMIT); // stay: a lost answer must be retransmitted
    }
}

void ask(String address, String question) {
    try (ConnectionId id = CM.createEndpoint(PortSpace.TCP, null, new InetSocketAddress(address, PORT), LIMIT);
            MemoryRegion buffer = id.protectionDomain().allocate(512, Access.LOCAL_WRITE)) {
        QueuePair qp = id.createQueuePair(QueuePairOptions.rc());
        id.connect(ConnectionParameters.DEFAULT);
        buffer.memory().setString(0, question);
        qp.post(qp.newReceiveRequest().into(buffer, 256, 256)); // before the SEND: the answer needs a buffer
        qp.post(qp.newSendRequest().send().from(buffer, 0, question.length() + 1).signaled());
        await(qp.sendCq());
        await(qp.receiveCq());
        IO.println("client: the answer is: " + buffer.memory().getString(256));
        id.disconnect();
    }
}

/// Waits for one completion and returns its length. It spins; EventServer shows how to sleep.
long await(CompletionQueue cq) {
    long[] length = new long[1];
    int count = cq.poll(completion -> {
        if (!completion.isSuccess()) {
            throw new IllegalStateException(completion.status().explain());
        }
        length[0] = completion.byteLength();
    }, 1, LIMIT);
    if (count == 0) {
        throw new IllegalStateException("nothing completed within " + LIMIT);
    }
    return length[0];
}
