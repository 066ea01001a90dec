import module io.verbena.verbs;

/// Chapter 7: a client writes into the memory of a server and reads it back. The server only waits for the end.
static final Duration LIMIT = Duration.ofSeconds(20);
static final ConnectionManager CM = Rdma.connectionManager();

void main(String[] arguments) {
    InetSocketAddress address = new InetSocketAddress(arguments.length > 0 ? arguments[0] : "127.0.0.1", 7481);
    try (ConnectionId listener = CM.createEndpoint(PortSpace.TCP, address, null, LIMIT)) {
        listener.listen(0);
        var server = CompletableFuture.runAsync(() -> serve(listener), Thread::startVirtualThread);
        writeAndRead(address);
        server.join();
    }
}

void serve(ConnectionId listener) {
    try (ConnectionId id = Objects.requireNonNull(listener.awaitRequest(LIMIT), "no client connected in time");
            MemoryRegion memory = id.protectionDomain()
                    .allocate(64, Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ)) {
        QueuePair qp = id.createQueuePair(QueuePairOptions.rc());
        id.accept(ConnectionParameters.DEFAULT.withPrivateData(memory.remote().encode())); // address, length, key
        while (id.event().type() != CmEventType.DISCONNECTED) {
            LockSupport.parkNanos(1_000_000);
        }
        IO.println("server: my memory holds '" + memory.memory().getString(0) + "'");
        IO.println("server: completions here: " + qp.receiveCq().poll(completion -> {}, 16));
    }
}

void writeAndRead(InetSocketAddress address) {
    try (ConnectionId id = CM.createEndpoint(PortSpace.TCP, null, address, LIMIT);
            MemoryRegion text = id.protectionDomain().allocate(64);
            MemoryRegion copy = id.protectionDomain().allocate(64, Access.LOCAL_WRITE)) {
        QueuePair qp = id.createQueuePair(QueuePairOptions.rc());
        id.connect(ConnectionParameters.DEFAULT);
        RemoteBuffer server = RemoteBuffer.decode(id.event().privateData());
        text.memory().setString(0, "hello, remote memory");
        qp.post(qp.newSendRequest().write(server).from(text, 0, 64).signaled());
        qp.post(qp.newSendRequest().read(server).into(copy, 0, 64).signaled());
        qp.sendCq().poll(completion -> IO.println("client: " + completion.opcode() + ": " + completion.status()), 2, LIMIT);
        IO.println("client: read back '" + copy.memory().getString(0) + "'");
        id.disconnect();
    }
}
