import module io.verbena.verbs;

/// One message to many: a datagram to a multicast group reaches all its members. The sender does not know how many
/// there are, and a lost datagram is not sent again. Between shells each process needs its own address:
/// `listen 127.0.0.2` in some, then `send 127.0.0.3`.
static final InetSocketAddress GROUP = new InetSocketAddress("239.71.7.1", 0);
static final int GRH = 40; // bytes in front of each received datagram: the sender's address
static final int BYTES = 64;
static final Duration LIMIT = Duration.ofSeconds(20);

void main(String[] arguments) throws InterruptedException {
    String address = arguments.length > 1 ? arguments[1] : "127.0.0.1";
    switch (arguments.length > 0 ? arguments[0] : "both") {
        case "both" -> {
            CountDownLatch joined = new CountDownLatch(3);
            List<CompletableFuture<Void>> listeners = Stream.of("Ann", "Bob", "Cid")
                    .map(name -> CompletableFuture.runAsync(
                            () -> listen(name, address, LIMIT, joined), Thread::startVirtualThread))
                    .toList();
            joined.await(20, TimeUnit.SECONDS);
            send("Dan", address, "good morning");
            listeners.forEach(CompletableFuture::join);
        }
        case "listen" -> listen("listener", address, Duration.ofHours(1), new CountDownLatch(1));
        case "send" -> send("sender", address, "good morning");
        default -> {
            System.err.println("usage: Multicast [both|listen|send] [ADDRESS]");
            System.exit(2);
        }
    }
}

void listen(String name, String address, Duration patience, CountDownLatch joined) {
    try (ConnectionId id = resolve(address);
            MemoryRegion buffer = id.protectionDomain().allocate(GRH + BYTES, Access.LOCAL_WRITE)) {
        QueuePair qp = id.createQueuePair(QueuePairOptions.ud());
        qp.post(qp.newReceiveRequest().into(buffer, 0, GRH + BYTES)); // without a receive, datagrams are dropped
        id.joinMulticast(GROUP);
        IO.println(name + ": joined " + GROUP.getHostString());
        joined.countDown();
        await(qp.receiveCq(), patience, completion -> {
            MemorySegment text = buffer.memory().asSlice(GRH, completion.byteLength() - GRH);
            IO.println(name + ": received '" + new String(text.toArray(ValueLayout.JAVA_BYTE)) + "'");
        });
        id.leaveMulticast(GROUP);
    }
}

void send(String name, String address, String text) {
    try (ConnectionId id = resolve(address)) {
        QueuePair qp = id.createQueuePair(QueuePairOptions.ud());
        id.joinMulticast(GROUP);
        DatagramPeer group = id.event().datagram(); // the event MULTICAST_JOIN says how to send to the group
        try (AddressHandle handle = id.protectionDomain().createAddressHandle(group.address())) {
            SendRequest send = qp.newSendRequest().send().fromInline(MemorySegment.ofArray(text.getBytes()));
            qp.post(send.to(handle, group.qpNumber(), group.qkey()).signaled());
            await(qp.sendCq(), LIMIT, completion -> IO.println(name + ": sent '" + text + "'"));
        }
        id.leaveMulticast(GROUP);
    }
}

/// An id whose device is the one of `address`.
ConnectionId resolve(String address) {
    return Rdma.connectionManager().createEndpoint(PortSpace.UDP, new InetSocketAddress(address, 0), GROUP, LIMIT);
}

/// Sleeps until something completes.
void await(CompletionQueue cq, Duration patience, WorkCompletionHandler handler) {
    cq.arm();
    if (cq.poll(handler, 1) == 0) {
        cq.channel().await(patience);
        if (cq.poll(handler, 1) == 0) {
            throw new IllegalStateException("nothing completed within " + patience);
        }
    }
}
