import module io.verbena.verbs;

/// Chapter 14: who owns what, and what happens when things are closed in another order.
static final Duration LIMIT = Duration.ofSeconds(20);
static final ConnectionManager CM = Rdma.connectionManager();

void main(String[] arguments) {
    String address = arguments.length > 0 ? arguments[0] : "127.0.0.1";
    devices(address);
    connections(new InetSocketAddress(address, 7484));
}

void devices(String address) {
    Context context = Rdma.openDevice(address);
    try {
        var pd = context.allocateProtectionDomain();
        CompletionQueue cq = context.createCompletionQueue(16);
        QueuePair qp = pd.createQueuePair(QueuePairOptions.rc(cq));
        attempt("close a completion queue in use", cq::close);
        attempt("close a context with children", context::close);
        attempt("close the queue pair", qp::close);
        attempt("close it again", qp::close);
        attempt("post to it", () -> qp.post(qp.newReceiveRequest().empty()));
    } finally {
        context.closeAll(); // what is left, newest first
    }
}

void connections(InetSocketAddress address) {
    try (ConnectionId listener = CM.createEndpoint(PortSpace.TCP, address, null, LIMIT)) {
        listener.listen(0);
        var server = CompletableFuture.runAsync(() -> accept(listener), Thread::startVirtualThread);
        CompletionQueue received;
        try (ConnectionId id = CM.createEndpoint(PortSpace.TCP, null, address, LIMIT);
                MemoryRegion buffer = id.protectionDomain().allocate(64, Access.LOCAL_WRITE)) {
            QueuePair qp = id.createQueuePair(QueuePairOptions.rc());
            received = qp.receiveCq();
            id.connect(ConnectionParameters.DEFAULT);
            qp.post(qp.newReceiveRequest().wrId(1).into(buffer, 0, 64));
            id.disconnect(); // receives that are still posted are completed, so that their buffers can be reused
            received.poll(completion -> IO.println("receive " + completion.wrId() + ": " + completion.status()), 1, LIMIT);
        } // the region first, then the id with its queue pair, completion queues and channels
        attempt("poll a queue of a closed id", () -> received.poll(completion -> {}, 1));
        server.join();
    }
}

void accept(ConnectionId listener) {
    try (ConnectionId id = Objects.requireNonNull(listener.awaitRequest(LIMIT), "no client connected in time")) {
        id.createQueuePair(QueuePairOptions.rc());
        id.accept(ConnectionParameters.DEFAULT);
        while (id.event().type() != CmEventType.DISCONNECTED) {
            LockSupport.parkNanos(1_000_000);
        }
    }
}

void attempt(String what, Runnable call) {
    try {
        call.run();
        IO.println(what + ": done");
    } catch (RdmaException e) {
        IO.println(what + ": " + e.getMessage());
    }
}
