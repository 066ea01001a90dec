import module io.verbena.verbs;

/// Chapter 5: every event of the connection manager, on both sides. One thread plays client and server. That works
/// because calls of asynchronous ids return at once, and their outcome arrives as an event.
void main(String[] arguments) {
    InetSocketAddress address = new InetSocketAddress(arguments.length > 0 ? arguments[0] : "127.0.0.1", 7480);
    ConnectionManager cm = Rdma.connectionManager();
    try (EventChannel events = cm.createEventChannel();
            ConnectionId listener = cm.createId(events, PortSpace.TCP);
            ConnectionId client = cm.createId(events, PortSpace.TCP)) {
        client.attachment("client");
        listener.attachment("server"); // ids that a listener hands out inherit it
        listener.bind(address);
        listener.listen(0);
        client.resolveAddress(null, address, Duration.ofSeconds(2));
        for (int disconnected = 0; disconnected < 2; ) {
            CmEvent event = events.await(Duration.ofSeconds(5));
            IO.println(event.id().attachment() + ": " + event.type());
            disconnected += on(event, client);
        }
    }
}

/// Returns 1 when one of the two ids is disconnected.
int on(CmEvent event, ConnectionId client) {
    ConnectionId id = event.id();
    switch (event.type()) {
        case ADDRESS_RESOLVED -> id.resolveRoute(Duration.ofSeconds(2)); // now the client has a device
        case ROUTE_RESOLVED -> {
            id.createQueuePair(QueuePairOptions.rc());
            id.connect(ConnectionParameters.DEFAULT.withReads(2, 2).withPrivateData("let me in".getBytes()));
        }
        case CONNECT_REQUEST -> { // the event brings a new id for this client; the listener goes on listening
            IO.println("  a new id: " + (id != event.listener()) + ", of " + event.listener().attachment());
            IO.println("  private data: " + new String(event.privateData()).trim());
            IO.println("  READs in flight from the client: at most " + event.parameters().responderResources());
            id.createQueuePair(QueuePairOptions.rc());
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
            id.close();
            return 1;
        }
        default -> throw new IllegalStateException(event.explain());
    }
    return 0;
}
