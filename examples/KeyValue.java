import module io.verbena.verbs;

/// A table of prices in the memory of a server. Clients know where the row of a key is and READ it: the server's
/// program takes no part. It changes the prices meanwhile, so a READ may return a row that is half old and half new.
/// The checksum shows that, and the client reads again.
static final int PORT = 7474;
static final List<String> KEYS = List.of("apple", "fig", "pear", "plum");
static final int ROW = 4096; // bytes: a checksum, then the price over and over
static final Duration LIMIT = Duration.ofSeconds(20);
static final ConnectionManager CM = Rdma.connectionManager();

void main(String[] arguments) {
    String address = arguments.length > 1 ? arguments[1] : "127.0.0.1";
    switch (arguments.length > 0 ? arguments[0] : "both") {
        case "both" -> serve(address, 1);
        case "server" -> serve(address, 0);
        case "client" -> readPrices(address);
        default -> {
            System.err.println("usage: KeyValue [both|server|client] [ADDRESS]");
            System.exit(2);
        }
    }
}

void serve(String address, int expected) {
    Set<ConnectionId> clients = new HashSet<>();
    try (EventChannel events = CM.createEventChannel();
            ConnectionId listener = CM.createId(events, PortSpace.TCP)) {
        listener.bind(new InetSocketAddress(address, PORT));
        var pd = listener.protectionDomain();
        try (MemoryRegion table = pd.allocate(KEYS.size() * ROW, Access.LOCAL_WRITE, Access.REMOTE_READ)) {
            listener.listen(0);
            IO.println("server: " + KEYS.size() + " prices, to be read by RDMA");
            IntStream.range(0, expected).forEach(n -> Thread.ofPlatform().start(() -> readPrices(address)));
            long price = 0;
            for (int left = 0; expected == 0 || left < expected; ) {
                changePrices(table.memory(), ++price);
                CmEvent event = events.await(Duration.ofNanos(50_000));
                if (event != null && event.type() == CmEventType.CONNECT_REQUEST) {
                    clients.add(event.id());
                    event.id().createQueuePair(pd, QueuePairOptions.rc());
                    event.id().accept(ConnectionParameters.DEFAULT.withPrivateData(table.remote().encode()));
                } else if (event != null && event.type() == CmEventType.DISCONNECTED) {
                    left++;
                    clients.remove(event.id());
                    event.id().close();
                }
            }
        } finally {
            clients.forEach(ConnectionId::close);
        }
    }
}

void changePrices(MemorySegment table, long price) {
    for (int row = 0; row < KEYS.size(); row++) {
        MemorySegment bytes = table.asSlice(row * ROW, ROW);
        for (int i = 8; i < ROW; i += 8) {
            bytes.set(ValueLayout.JAVA_LONG, i, price * 100 + row);
        }
        bytes.set(ValueLayout.JAVA_LONG, 0, checksum(bytes));
    }
}

void readPrices(String address) {
    try (ConnectionId id = CM.createEndpoint(PortSpace.TCP, null, new InetSocketAddress(address, PORT), LIMIT);
            MemoryRegion copy = id.protectionDomain().allocate(ROW, Access.LOCAL_WRITE)) {
        QueuePair qp = id.createQueuePair(QueuePairOptions.rc());
        id.connect(ConnectionParameters.DEFAULT);
        RemoteBuffer table = RemoteBuffer.decode(id.event().privateData()); // what the server gave to accept
        int torn = 0;
        for (int n = 0; n < 10_000; n++) {
            int row = n % KEYS.size();
            read(qp, table.slice(row * ROW, ROW), copy);
            while (copy.memory().get(ValueLayout.JAVA_LONG, 0) != checksum(copy.memory())) {
                torn++;
                read(qp, table.slice(row * ROW, ROW), copy);
            }
            if (n >= 10_000 - KEYS.size()) {
                IO.println("client: " + KEYS.get(row) + " costs " + copy.memory().get(ValueLayout.JAVA_LONG, 8));
            }
        }
        IO.println("client: 10000 rows read, " + torn + " half old and half new: read again");
        id.disconnect();
    }
}

long checksum(MemorySegment row) {
    CRC32 crc = new CRC32();
    crc.update(row.asSlice(8).asByteBuffer());
    return crc.getValue();
}

void read(QueuePair qp, RemoteBuffer remote, MemoryRegion copy) {
    CompletionStatus[] status = {CompletionStatus.RESPONSE_TIMEOUT};
    qp.post(qp.newSendRequest().read(remote).into(copy, 0, ROW).signaled());
    qp.sendCq().poll(completion -> status[0] = completion.status(), 1, LIMIT);
    if (status[0] != CompletionStatus.SUCCESS) {
        throw new IllegalStateException(status[0].explain());
    }
}
