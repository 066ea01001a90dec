import module io.verbena.verbs;

/// An echo server for many clients: one thread that sleeps while there is nothing to do. It waits for both kinds of
/// events at once, those of connections and those of completions. Without arguments it brings five clients along.
static final int PORT = 7473;
static final int BYTES = 64;
static final Duration LIMIT = Duration.ofMinutes(1);

/// Each client has a buffer: the first half to receive into, the second half to send from.
record Client(QueuePair qp, MemoryRegion buffer) {}

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
    try (EventChannel connections = Rdma.connectionManager().createEventChannel();
            ConnectionId listener = Rdma.connectionManager().createId(connections, PortSpace.TCP)) {
        listener.bind(new InetSocketAddress(address, PORT));
        CompletionChannel completions = listener.context().createCompletionChannel();
        CompletionQueue cq = listener.context().createCompletionQueue(1024, completions); // one for all clients
        cq.arm(); // asks for an event when the next completion comes
        listener.listen(0);
        IO.println("server: ready on " + listener.localAddress());
        IntStream.range(0, expected).forEach(n -> Thread.ofPlatform().daemon().start(() -> talk(address)));
        int left = 0;
        int wakeUps = 0;
        Poller poller = Poller.of(connections, completions);
        for (; left < expected || expected == 0; wakeUps++) {
            if (poller.await(LIMIT) == 0 && expected > 0) { // the only place where this thread waits
                throw new IllegalStateException("nothing happened for " + LIMIT);
            }
            for (CmEvent event = connections.tryTake(); event != null; event = connections.tryTake()) {
                left += onConnection(event, cq);
            }
            if (completions.tryTake() != null) {
                cq.arm(); // first ask for the next event, then empty the queue: so nothing is missed
                while (cq.poll(this::onCompletion, 16) > 0) {}
            }
        }
        IO.println("server: " + left + " clients, " + messages + " messages, woken " + wakeUps + " times");
        poller.close();
        cq.close();
        completions.close();
    }
}

/// Returns how many clients left: none or one.
int onConnection(CmEvent event, CompletionQueue cq) {
    ConnectionId id = event.id();
    if (event.type() == CmEventType.CONNECT_REQUEST) {
        QueuePair qp = id.createQueuePair(id.protectionDomain(), QueuePairOptions.rc(cq));
        Client client = new Client(qp, id.protectionDomain().allocate(2 * BYTES, Access.LOCAL_WRITE));
        clients.put(qp.number(), client);
        qp.post(qp.newReceiveRequest().into(client.buffer, 0, BYTES));
        id.accept(ConnectionParameters.DEFAULT);
    } else if (event.type() == CmEventType.DISCONNECTED) {
        Client client = clients.remove(id.queuePair().number());
        id.close(); // and its queue pair
        client.buffer.close();
        return 1;
    }
    return 0;
}

void onCompletion(WorkCompletion completion) {
    Client client = clients.get(completion.qpNumber());
    if (client == null || !completion.isSuccess() || completion.opcode() != CompletionOpcode.RECEIVE) {
        return; // the client is gone, or one of our own SENDs is done
    }
    messages++;
    MemoryRegion buffer = client.buffer;
    buffer.memory().asSlice(BYTES, BYTES).copyFrom(buffer.memory().asSlice(0, completion.byteLength()));
    client.qp.post(client.qp.newReceiveRequest().into(buffer, 0, BYTES)); // before the client can send again
    client.qp.post(client.qp.newSendRequest().send().from(buffer, BYTES, completion.byteLength()).signaled());
}

/// A client: ten messages with a pause before each. SendReceive explains the calls.
void talk(String address) {
    ConnectionManager cm = Rdma.connectionManager();
    ConnectionId id = cm.createEndpoint(PortSpace.TCP, null, new InetSocketAddress(address, PORT), LIMIT);
    CompletionQueue cq = id.context().createCompletionQueue(16);
    try (id; MemoryRegion buffer = id.protectionDomain().allocate(2 * BYTES, Access.LOCAL_WRITE)) {
        QueuePair qp = id.createQueuePair(id.protectionDomain(), QueuePairOptions.rc(cq));
        id.connect(ConnectionParameters.DEFAULT);
        int echoes = 0;
        for (int n = 0; n < 10; n++) {
            LockSupport.parkNanos(20_000_000);
            buffer.memory().setString(0, "message " + n);
            qp.post(qp.newReceiveRequest().into(buffer, BYTES, BYTES));
            qp.post(qp.newSendRequest().send().from(buffer, 0, BYTES).signaled());
            cq.poll(completion -> {}, 2, LIMIT); // the SEND and the RECEIVE
            echoes += buffer.memory().getString(BYTES).equals("message " + n) ? 1 : 0;
        }
        IO.println("client: " + echoes + " of 10 messages came back");
        id.disconnect();
    }
    cq.close();
}
