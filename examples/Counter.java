import module io.verbena.verbs;

/// One number in the memory of a server that several processes count up by atomic fetch-and-add. No update is lost,
/// and the server's program takes no part. Without arguments: a server here and three clients, each its own process.
static final int PORT = 7472;
static final int CLIENTS = 3;
static final int ROUNDS = 1000;
static final Duration LIMIT = Duration.ofMinutes(1);

void main(String[] arguments) throws IOException {
    String address = arguments.length > 1 ? arguments[1] : "127.0.0.1";
    switch (arguments.length > 0 ? arguments[0] : "both") {
        case "both" -> serve(address, CLIENTS, LIMIT);
        case "server" -> serve(address, 0, Duration.ofDays(1));
        case "client" -> count(address);
        default -> {
            System.err.println("usage: Counter [both|server|client] [ADDRESS]");
            System.exit(2);
        }
    }
}

void serve(String address, int clients, Duration patience) throws IOException {
    try (EventChannel events = Rdma.connectionManager().createEventChannel();
            ConnectionId listener = Rdma.connectionManager().createId(events, PortSpace.TCP)) {
        listener.bind(new InetSocketAddress(address, PORT));
        var pd = listener.protectionDomain();
        MemoryRegion counter = pd.allocate(8, Access.LOCAL_WRITE, Access.REMOTE_ATOMIC);
        byte[] where = ByteBuffer.allocate(12).putLong(counter.address()).putInt(counter.rkey()).array();
        CompletionQueue cq = listener.context().createCompletionQueue(16); // stays empty: the clients get completions
        listener.listen(0);
        IO.println("server: the counter is 0");
        startClients(clients, address);
        long total = 0;
        for (int gone = 0; clients == 0 || gone < clients; ) {
            CmEvent event = events.await(patience);
            require(event != null, "nothing happened for " + patience);
            if (event.type() == CmEventType.CONNECT_REQUEST) {
                event.id().createQueuePair(pd, QueuePairOptions.rc(cq));
                event.id().accept(ConnectionParameters.DEFAULT.withPrivateData(where)); // no message is needed
            } else if (event.type() == CmEventType.DISCONNECTED) {
                gone++;
                event.id().close();
                total = counter.memory().get(ValueLayout.JAVA_LONG, 0);
                IO.println("server: a client left, the counter is " + total);
            }
        }
        cq.close();
        counter.close();
        require(total == (long) clients * ROUNDS, "the counter should be " + clients * ROUNDS);
    }
}

void count(String address) {
    ConnectionManager cm = Rdma.connectionManager();
    ConnectionId id = cm.createEndpoint(PortSpace.TCP, null, new InetSocketAddress(address, PORT), LIMIT);
    CompletionQueue cq = id.context().createCompletionQueue(16);
    try (id; MemoryRegion old = id.protectionDomain().allocate(8, Access.LOCAL_WRITE)) {
        QueuePair qp = id.createQueuePair(id.protectionDomain(), QueuePairOptions.rc(cq));
        id.connect(ConnectionParameters.DEFAULT);
        ByteBuffer where = ByteBuffer.wrap(id.event().privateData()); // as the server told in accept
        SendRequest addOne = qp.newSendRequest().fetchAndAdd(where.getLong(), where.getInt(), 1);
        addOne.into(old, 0, 8).signaled();
        for (int round = 0; round < ROUNDS; round++) {
            qp.post(addOne);
            await(cq);
        }
        IO.println("client: added 1 " + ROUNDS + " times, last to " + old.memory().get(ValueLayout.JAVA_LONG, 0));
        id.disconnect();
    }
    cq.close();
}

void await(CompletionQueue cq) {
    CompletionStatus[] status = {CompletionStatus.RESPONSE_TIMEOUT};
    cq.poll(completion -> status[0] = completion.status(), 1, LIMIT);
    require(status[0] == CompletionStatus.SUCCESS, status[0].explain());
}

void require(boolean condition, String otherwise) {
    if (!condition) {
        throw new IllegalStateException(otherwise);
    }
}

/// The command that this process was started with, again and with other arguments.
void startClients(int clients, String address) throws IOException {
    var info = ProcessHandle.current().info();
    List<String> command = new ArrayList<>(List.of(info.command().orElseThrow()));
    Stream.of(info.arguments().orElseThrow()).takeWhile(word -> !word.equals("both")).forEach(command::add);
    command.addAll(List.of("client", address));
    for (int i = 0; i < clients; i++) {
        new ProcessBuilder(command).inheritIO().start();
    }
}
