import module io.verbena.verbs;

/// Several processes increment one number in the memory of a server by atomic fetch-and-add. No update is lost, and
/// the server's program takes no part. Without arguments: a server here and three clients, each in its own process.
static final int PORT = 7472;
static final int CLIENTS = 3;
static final int ROUNDS = 1000;
static final Duration LIMIT = Duration.ofMinutes(1);
static final ConnectionManager CM = Rdma.connectionManager();

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

void serve(String address, int expected, Duration patience) throws IOException {
    Set<ConnectionId> clients = new HashSet<>();
    try (EventChannel events = CM.createEventChannel();
            ConnectionId listener = CM.createId(events, PortSpace.TCP)) {
        listener.bind(new InetSocketAddress(address, PORT));
        try (MemoryRegion counter =
                listener.protectionDomain().allocate(8, Access.LOCAL_WRITE, Access.REMOTE_ATOMIC)) {
            listener.listen(0);
            IO.println("server: the counter is 0");
            startClients(expected, address);
            for (int left = 0; expected == 0 || left < expected; ) {
                CmEvent event = events.await(patience);
                require(event != null, "no event within " + patience);
                if (event.type() == CmEventType.CONNECT_REQUEST) {
                    clients.add(event.id());
                    event.id().createQueuePair(listener.protectionDomain(), QueuePairOptions.rc());
                    event.id().accept( // tells the client where the counter is
                            ConnectionParameters.DEFAULT.withPrivateData(counter.remote().encode()));
                } else if (event.type() == CmEventType.DISCONNECTED) {
                    left++;
                    clients.remove(event.id());
                    event.id().close();
                    IO.println("server: a client left, the counter is " + value(counter));
                }
            }
            require(value(counter) == (long) expected * ROUNDS, "the counter should be " + expected * ROUNDS);
        } finally {
            clients.forEach(ConnectionId::close);
        }
    }
}

void count(String address) {
    try (ConnectionId id = CM.createEndpoint(PortSpace.TCP, null, new InetSocketAddress(address, PORT), LIMIT);
            MemoryRegion old = id.protectionDomain().allocate(8, Access.LOCAL_WRITE)) {
        QueuePair qp = id.createQueuePair(QueuePairOptions.rc());
        id.connect(ConnectionParameters.DEFAULT);
        RemoteBuffer counter = RemoteBuffer.decode(id.event().privateData());
        SendRequest addOne = qp.newSendRequest().fetchAndAdd(counter, 1).into(old, 0, 8).signaled();
        for (int round = 0; round < ROUNDS; round++) {
            qp.post(addOne);
            await(qp.sendCq());
        }
        IO.println("client: added 1 " + ROUNDS + " times, last to " + value(old));
        id.disconnect();
    }
}

void await(CompletionQueue cq) {
    CompletionStatus[] status = {CompletionStatus.RESPONSE_TIMEOUT};
    cq.poll(completion -> status[0] = completion.status(), 1, LIMIT);
    require(status[0] == CompletionStatus.SUCCESS, status[0].explain());
}

long value(MemoryRegion region) {
    return region.memory().get(ValueLayout.JAVA_LONG, 0);
}

void require(boolean condition, String otherwise) {
    if (!condition) {
        throw new IllegalStateException(otherwise);
    }
}

/// Starts this program again, with other arguments.
void startClients(int clients, String address) throws IOException {
    var info = ProcessHandle.current().info();
    List<String> command = new ArrayList<>(List.of(info.command().orElseThrow()));
    Stream.of(info.arguments().orElseThrow()).takeWhile(word -> !word.equals("both")).forEach(command::add);
    command.addAll(List.of("client", address));
    for (int i = 0; i < clients; i++) {
        new ProcessBuilder(command).inheritIO().start();
    }
}
