import module io.verbena.verbs;

/// Chapter 12: the client says in private data what it will send, then leaves too early. The server sleeps until
/// there is a message or a connection event, so it notices.
static final Duration LIMIT = Duration.ofSeconds(20);
static final ConnectionManager CM = Rdma.connectionManager();

record Plan(int count, int bytes) {
    byte[] encode() {
        return ByteBuffer.allocate(8).putInt(count).putInt(bytes).array(); // most significant byte first
    }

    static Plan decode(byte[] privateData) {
        ByteBuffer buffer = ByteBuffer.wrap(privateData);
        return new Plan(buffer.getInt(), buffer.getInt());
    }

    boolean isSensible() { // it comes from the network: trust nothing
        return count > 0 && bytes > 0 && bytes <= 4096;
    }
}

void main(String[] arguments) {
    InetSocketAddress address = new InetSocketAddress(arguments.length > 0 ? arguments[0] : "127.0.0.1", 7482);
    try (EventChannel events = CM.createEventChannel();
            ConnectionId listener = CM.createId(events, PortSpace.TCP)) {
        listener.bind(address);
        listener.listen(0);
        Thread.startVirtualThread(() -> sendSome(address));
        CmEvent request = events.await(LIMIT);
        Plan plan = Plan.decode(request.privateData());
        IO.println("server: the client announces " + plan.count + " messages of " + plan.bytes + " bytes");
        if (!plan.isSensible()) {
            request.id().reject(new byte[0]);
            return;
        }
        try (ConnectionId id = request.id();
                MemoryRegion buffer = id.protectionDomain().allocate(plan.bytes, Access.LOCAL_WRITE)) {
            receive(id, events, buffer, plan);
        }
    }
}

void receive(ConnectionId id, EventChannel events, MemoryRegion buffer, Plan plan) {
    QueuePair qp = id.createQueuePair(QueuePairOptions.rc());
    CompletionQueue cq = qp.receiveCq();
    ReceiveRequest receive = qp.newReceiveRequest().into(buffer, 0, plan.bytes);
    qp.post(receive);
    cq.arm();
    id.accept(ConnectionParameters.DEFAULT);
    int[] received = new int[1];
    try (Poller poller = Poller.of(events, cq.channel())) {
        while (received[0] < plan.count && poller.await(LIMIT) > 0) { // sleeps until one of the channels has an event
            if (cq.channel().tryTake() != null) {
                cq.arm();
                while (cq.poll(completion -> {
                    if (completion.isSuccess()) {
                        IO.println("server: message " + ++received[0]);
                        qp.post(receive);
                    }
                }, 16) > 0) {}
            }
            CmEvent event = events.tryTake();
            if (event != null && event.type() == CmEventType.DISCONNECTED) {
                IO.println("server: the client left after " + received[0] + " of " + plan.count + " messages");
                return;
            }
        }
    }
}

void sendSome(InetSocketAddress address) {
    try (ConnectionId id = CM.createEndpoint(PortSpace.TCP, null, address, LIMIT);
            MemoryRegion text = id.protectionDomain().allocate(64)) {
        QueuePair qp = id.createQueuePair(QueuePairOptions.rc());
        id.connect(ConnectionParameters.DEFAULT.withPrivateData(new Plan(3, 64).encode()));
        for (int n = 0; n < 2; n++) {
            qp.post(qp.newSendRequest().send().from(text, 0, 64).signaled());
            qp.sendCq().poll(completion -> {}, 1, LIMIT);
        }
    } // closes the id in the middle of the conversation
}
