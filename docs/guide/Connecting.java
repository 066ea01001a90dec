import module io.verbena.verbs;

/// Chapter 5: every event of the connection manager, on both sides. One thread plays client and server, which works
/// because the calls of asynchronous ids return at once: what comes of them is told by events.
CompletionQueue cq;

void main(String[] arguments) {
    String address = arguments.length > 0 ? arguments[0] : "127.0.0.1";
    ConnectionManager cm = Rdma.connectionManager();
    EventChannel events = cm.createEventChannel();
    ConnectionId listener = cm.createId(events, PortSpace.TCP);
    listener.bind(new InetSocketAddress(address, 7480));
    listener.listen(0);
    cq = listener.context().createCompletionQueue(16);

    ConnectionId client = cm.createId(events, PortSpace.TCP);
    client.attachment("client");
    listener.attachment("server"); // ids that a listener hands out inherit it
    client.resolveAddress(null, new InetSocketAddress(address, 7480), Duration.ofSeconds(2));
    for (int gone = 0; gone < 2; ) {
        CmEvent event = events.await(Duration.ofSeconds(5));
        ConnectionId id = event.id();
        IO.println(id.attachment() + ": " + event.type());
        switch (event.type()) {
            case ADDRESS_RESOLVED -> id.resolveRoute(Duration.ofSeconds(2)); // now the client knows its device
            case ROUTE_RESOLVED -> {
                id.createQueuePair(id.protectionDomain(), QueuePairOptions.rc(cq));
                id.connect(ConnectionParameters.DEFAULT.withReads(2, 2).withPrivateData("let me in".getBytes()));
            }
            case CONNECT_REQUEST -> { // a new id for this client; the listener goes on listening
                IO.println("  a new id: " + (id != event.listener()) + ", of " + event.listener().attachment());
                IO.println("  private data: " + new String(event.privateData()).trim());
                IO.println("  the client will have at most " + event.parameters().responderResources() + " READs under way");
                id.createQueuePair(id.protectionDomain(), QueuePairOptions.rc(cq));
                id.accept(ConnectionParameters.DEFAULT.withPrivateData("welcome".getBytes()));
            }
            case ESTABLISHED -> {
                if (id == client) {
                    IO.println("  private data: " + new String(event.privateData()).trim());
                } else {
                    client.disconnect();
                }
            }
            case DISCONNECTED -> {
                gone++;
                id.close();
            }
            default -> throw new IllegalStateException(event.explain());
        }
    }
    cq.close();
    listener.close();
    events.close();
}
