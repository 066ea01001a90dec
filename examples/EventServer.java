import module io.verbena.verbs;

/// An echo server for many clients. One thread waits for connection events and completions at once, and sleeps when
/// there are none. Without arguments it starts five clients itself.
static final int PORT = 7473;
static final int BYTES = 64;
static final Duration LIMIT = Duration.ofMinutes(1);
static final ConnectionManager CM = Rdma.connectionManager();

/// The first half of the buffer receives, the second half sends.
record Client(ConnectionId id, MemoryRegion buffer) {
    void close() {
        id.close(); // and its queue pair
        buffer.close();
    }
}

final Map<Integer, Client> clients = new HashMap<>(); // by number of the queue pair
int messages;

void main(String[] arguments) {
    String address = arguments.length > 1 ? arguments[1] : "127.0.0.1";
    switch (arguments.length > 0 ? arguments[0] : "both") {
        case "both" -> serve(address, 5);
        case "server" -> serve(address, 0);
        case "client" -> talk(address);
        default -> {
            System.err.println("usage: EventServer [both|server|client] [ADDRESS]");
            System.exit(2);
        }
    }
}

void serve(String address, int expected) {
    try (EventChannel connections = CM.createEventChannel();
            ConnectionId listener = CM.createId(connections, PortSpace.TCP)) {
        listener.bind(new InetSocketAddress(address, PORT));
        try (CompletionChannel completions = listener.context().createCompletionChannel();
                CompletionQueue cq = listener.context().createCompletionQueue(1024, completions); // for all clients
                Poller poller = Poller.of(connections, completions)) {
            try {
                cq.arm(); // asks for an event when the next completion is added
                listener.listen(0);
                IO.println("server: ready on " + listener.localAddress());
                IntStream.range(0, expected).forEach(n -> Thread.ofPlatform().daemon().start(() -> talk(address)));
                int left = 0, wakeUps = 0;
                for (; left < expected || expected == 0; wakeUps++) {
                    if (poller.await(LIMIT) == 0 && expected > 0) { // the only place where this thread waits
                        throw new IllegalStateException("no event within " + LIMIT);
                    }
                    for (CmEvent event = connections.tryTake(); event != null; event = connections.tryTake()) {
                        left += onConnection(event, cq);
                    }
                    if (completions.tryTake() != null) {
                        cq.arm(); // arm first, then poll until empty: so no completion is missed
                        while (cq.poll(this::onCompletion, 16) > 0) {}
                    }
                }
                IO.println("server: " + left + " clients, " + messages + " messages, woken " + wakeUps + " times");
            } finally {
                clients.values().forEach(Client::close);
            }
        }
    }
}

/// Returns how many clients left: none or one.
int onConnection(CmEvent event, CompletionQueue cq) {
    ConnectionId id = event.id();
    if (event.type() == CmEventType.CONNECT_REQUEST) {
        QueuePair qp = id.createQueuePair(QueuePairOptions.rc(cq));
        MemoryRegion buffer = id.protectionDomain().allocate(2 * BYTES, Access.LOCAL_WRITE);
        clients.put(qp.number(), new Client(id, buffer));
        qp.post(qp.newReceiveRequest().into(buffer, 0, BYTES));
        id.accept(ConnectionParameters.DEFAULT);
    } else if (event.type() == CmEventType.DISCONNECTED) {
        clients.remove(id.queuePair().number()).close();
        return 1;
    }
    return 0;
}

void onCompletion(WorkCompletion completion) {
    Client client = clients.get(completion.qpNumber());
    if (client == null || !completion.isSuccess() || completion.opcode() != CompletionOpcode.RECEIVE) {
        return; // the client left, or this is the completion of an echo
    }
    messages++;
    MemorySegment memory = client.buffer.memory();
    memory.asSlice(BYTES, BYTES).copyFrom(memory.asSlice(0, completion.byteLength()));
    QueuePair qp = client.id.queuePair();
    qp.post(qp.newReceiveRequest().into(client.buffer, 0, BYTES)); // before the client can send again
    qp.post(qp.newSendRequest().send().from(client.buffer, BYTES, completion.byteLength()).signaled());
}

/// A client: ten messages with a pause before each. SendReceive explains the calls.
void talk(String address) {
    try (ConnectionId id = CM.createEndpoint(PortSpace.TCP, null, new InetSocketAddress(address, PORT), LIMIT);
            MemoryRegion buffer = id.protectionDomain().allocate(2 * BYTES, Access.LOCAL_WRITE)) {
        QueuePair qp = id.createQueuePair(QueuePairOptions.rc());
        id.connect(ConnectionParameters.DEFAULT);
        int echoes = 0;
        for (int n = 0; n < 10; n++) {
            LockSupport.parkNanos(20_000_000);
            buffer.memory().setString(0, "message " + n);
            qp.post(qp.newReceiveRequest().into(buffer, BYTES, BYTES));
            qp.post(qp.newSendRequest().send().from(buffer, 0, BYTES).signaled());
            qp.sendCq().poll(completion -> {}, 1, LIMIT);
            qp.receiveCq().poll(completion -> {}, 1, LIMIT);
            echoes += buffer.memory().getString(BYTES).equals("message " + n) ? 1 : 0;
        }
        IO.println("client: " + echoes + " of 10 messages came back");
        id.disconnect();
    }
}
