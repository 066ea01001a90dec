import module io.verbena.verbs;

/// Chapter 13: a virtual thread for each connection, on both sides. Each sleeps until its message arrives.
static final int CONNECTIONS = 100;
static final int MESSAGES = 20;
static final Duration LIMIT = Duration.ofSeconds(30);
static final ConnectionManager CM = Rdma.connectionManager();
final AtomicInteger answers = new AtomicInteger();

void main(String[] arguments) throws Exception {
    InetSocketAddress address = new InetSocketAddress(arguments.length > 0 ? arguments[0] : "127.0.0.1", 7483);
    try (ConnectionId listener = CM.createEndpoint(PortSpace.TCP, address, null, LIMIT);
            var threads = Executors.newVirtualThreadPerTaskExecutor()) { // closing it waits for all threads
        listener.listen(CONNECTIONS);
        for (int n = 0; n < CONNECTIONS; n++) {
            threads.submit(() -> ask(address));
        }
        for (int n = 0; n < CONNECTIONS; n++) {
            ConnectionId id = listener.awaitRequest(LIMIT);
            threads.submit(() -> answer(id));
        }
    }
    IO.println(CONNECTIONS + " connections, " + answers + " answers");

    // An interrupt ends a wait.
    try (Context context = Rdma.openDevice(address.getHostString());
            CompletionChannel channel = context.createCompletionChannel()) {
        Thread waiting = Thread.startVirtualThread(() -> {
            try {
                channel.await(LIMIT);
            } catch (RdmaException e) {
                IO.println(e.getMessage());
            }
        });
        waiting.interrupt();
        waiting.join();
    }
}

void answer(ConnectionId connected) {
    try (ConnectionId id = connected;
            MemoryRegion buffer = id.protectionDomain().allocate(16, Access.LOCAL_WRITE)) {
        QueuePair qp = id.createQueuePair(QueuePairOptions.rc());
        qp.post(qp.newReceiveRequest().into(buffer, 0, 8));
        id.accept(ConnectionParameters.DEFAULT);
        for (int n = 0; n < MESSAGES; n++) {
            await(qp.receiveCq());
            long question = buffer.memory().get(ValueLayout.JAVA_LONG, 0);
            buffer.memory().set(ValueLayout.JAVA_LONG, 8, question * question);
            qp.post(qp.newReceiveRequest().into(buffer, 0, 8)); // before the client can ask again
            qp.post(qp.newSendRequest().send().from(buffer, 8, 8).signaled());
            await(qp.sendCq());
        }
    }
}

void ask(InetSocketAddress address) {
    try (ConnectionId id = CM.createEndpoint(PortSpace.TCP, null, address, LIMIT);
            MemoryRegion buffer = id.protectionDomain().allocate(16, Access.LOCAL_WRITE)) {
        QueuePair qp = id.createQueuePair(QueuePairOptions.rc());
        id.connect(ConnectionParameters.DEFAULT);
        for (long n = 0; n < MESSAGES; n++) {
            buffer.memory().set(ValueLayout.JAVA_LONG, 0, n);
            qp.post(qp.newReceiveRequest().into(buffer, 8, 8));
            qp.post(qp.newSendRequest().send().from(buffer, 0, 8).signaled());
            await(qp.sendCq());
            await(qp.receiveCq());
            answers.addAndGet(buffer.memory().get(ValueLayout.JAVA_LONG, 8) == n * n ? 1 : 0);
        }
    }
}

/// Waits for one completion. A virtual thread that sleeps here leaves its carrier thread to others.
void await(CompletionQueue cq) {
    WorkCompletionHandler handler = completion -> {
        if (!completion.isSuccess()) {
            throw new IllegalStateException(completion.status().explain());
        }
    };
    while (cq.poll(handler, 1) == 0) {
        cq.arm();
        if (cq.poll(handler, 1) == 1) {
            return; // it was added before arming
        }
        if (cq.channel().await(LIMIT) == null) {
            throw new IllegalStateException("nothing completed within " + LIMIT);
        }
    }
}
