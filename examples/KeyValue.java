import module io.verbena.verbs;

/// A table of prices in the memory of a server. Clients know where the row of a key is and READ it: the server's
/// program takes no part. It changes the prices meanwhile, so a READ may catch a row half old and half new: the
/// checksum tells, and the client reads again.
static final int PORT = 7474;
static final List<String> KEYS = List.of("apple", "fig", "pear", "plum");
static final int ROW = 4096; // bytes: a checksum, then the price over and over
static final Duration LIMIT = Duration.ofSeconds(20);

void main(String[] arguments) {
    String address = arguments.length > 1 ? arguments[1] : "127.0.0.1";
    switch (arguments.length > 0 ? arguments[0] : "both") {
        case "both" -> {
            ConnectionId listener = listen(address);
            Thread.ofPlatform().daemon().start(() -> serve(listener));
            look(address);
        }
        case "server" -> serve(listen(address));
        case "client" -> look(address);
        default -> {
            System.err.println("usage: KeyValue [both|server|client] [ADDRESS]");
            System.exit(2);
        }
    }
}

ConnectionId listen(String address) {
    EventChannel events = Rdma.connectionManager().createEventChannel();
    ConnectionId listener = Rdma.connectionManager().createId(events, PortSpace.TCP);
    listener.bind(new InetSocketAddress(address, PORT));
    listener.listen(0);
    return listener;
}

/// Changes all prices every 50 microseconds, and lets clients in.
void serve(ConnectionId listener) {
    CompletionQueue cq = listener.context().createCompletionQueue(16); // stays empty: READs complete at the client
    var pd = listener.protectionDomain();
    MemoryRegion table = pd.allocate(KEYS.size() * ROW, Access.LOCAL_WRITE, Access.REMOTE_READ);
    byte[] where = ByteBuffer.allocate(12).putLong(table.address()).putInt(table.rkey()).array();
    IO.println("server: " + KEYS.size() + " prices, to be read by RDMA");
    for (long price = 1; ; price++) {
        for (int row = 0; row < KEYS.size(); row++) {
            MemorySegment bytes = table.memory().asSlice(row * ROW, ROW);
            for (int i = 8; i < ROW; i += 8) {
                bytes.set(ValueLayout.JAVA_LONG, i, price * 100 + row);
            }
            bytes.set(ValueLayout.JAVA_LONG, 0, checksum(bytes));
        }
        CmEvent event = listener.channel().await(Duration.ofNanos(50_000));
        if (event != null && event.type() == CmEventType.CONNECT_REQUEST) {
            event.id().createQueuePair(pd, QueuePairOptions.rc(cq));
            event.id().accept(ConnectionParameters.DEFAULT.withPrivateData(where));
        } else if (event != null && event.type() == CmEventType.DISCONNECTED) {
            event.id().close();
        }
    }
}

void look(String address) {
    ConnectionManager cm = Rdma.connectionManager();
    ConnectionId id = cm.createEndpoint(PortSpace.TCP, null, new InetSocketAddress(address, PORT), LIMIT);
    CompletionQueue cq = id.context().createCompletionQueue(16);
    try (id; MemoryRegion copy = id.protectionDomain().allocate(ROW, Access.LOCAL_WRITE)) {
        QueuePair qp = id.createQueuePair(id.protectionDomain(), QueuePairOptions.rc(cq));
        id.connect(ConnectionParameters.DEFAULT);
        ByteBuffer where = ByteBuffer.wrap(id.event().privateData()); // as the server told in accept
        RemoteBuffer table = new RemoteBuffer(where.getLong(), KEYS.size() * ROW, where.getInt());
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
    cq.close();
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
