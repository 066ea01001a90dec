import module io.verbena.verbs;

/// One message to many: what a member of a multicast group sends there reaches all others, as datagrams. Nobody knows
/// how many there are, and what gets lost is not repeated. Between shells each process takes an address of its own:
/// `listen 127.0.0.2` in some, then `send 127.0.0.3`.
static final InetSocketAddress GROUP = new InetSocketAddress("239.71.7.1", 0);
static final int GRH = 40; // bytes in front of each received datagram: where it came from
static final int BYTES = 64;
static final Duration LIMIT = Duration.ofSeconds(20);

record Member(String name, ConnectionId id, CompletionQueue cq, QueuePair qp, MemoryRegion buffer) {}

void main(String[] arguments) {
    String address = arguments.length > 1 ? arguments[1] : "127.0.0.1";
    switch (arguments.length > 0 ? arguments[0] : "both") {
        case "both" -> {
            List<Member> members = Stream.of("Ann", "Bob", "Cid").map(name -> join(name, address)).toList();
            send(join("Dan", address), "good morning");
            members.forEach(member -> hear(member, LIMIT));
        }
        case "listen" -> hear(join("listener", address), Duration.ofHours(1));
        case "send" -> send(join("sender", address), "good morning");
        default -> {
            System.err.println("usage: Multicast [both|listen|send] [ADDRESS]");
            System.exit(2);
        }
    }
}

Member join(String name, String address) {
    ConnectionId id = Rdma.connectionManager().createSynchronousId(PortSpace.UDP);
    id.resolveAddress(new InetSocketAddress(address, 0), GROUP, LIMIT);
    CompletionQueue cq = id.context().createCompletionQueue(16, id.context().createCompletionChannel());
    QueuePair qp = id.createQueuePair(id.protectionDomain(), QueuePairOptions.ud(cq));
    MemoryRegion buffer = id.protectionDomain().allocate(GRH + BYTES, Access.LOCAL_WRITE);
    qp.post(qp.newReceiveRequest().into(buffer, 0, GRH + BYTES)); // datagrams that find no place are dropped
    id.joinMulticast(GROUP);
    IO.println(name + ": joined " + GROUP.getHostString());
    return new Member(name, id, cq, qp, buffer);
}

void send(Member member, String text) {
    DatagramPeer group = member.id.event().datagram(); // MULTICAST_JOIN told how to send to the group
    try (AddressHandle handle = member.id.protectionDomain().createAddressHandle(group.address())) {
        byte[] bytes = text.getBytes();
        SendRequest send = member.qp.newSendRequest().send().fromInline(MemorySegment.ofArray(bytes));
        member.qp.post(send.to(handle, group.qpNumber(), group.qkey()).signaled());
        await(member, LIMIT, completion -> IO.println(member.name + ": sent '" + text + "'"));
    }
    leave(member);
}

void hear(Member member, Duration patience) {
    await(member, patience, completion -> {
        MemorySegment text = member.buffer.memory().asSlice(GRH, completion.byteLength() - GRH);
        IO.println(member.name + ": received '" + new String(text.toArray(ValueLayout.JAVA_BYTE)) + "'");
    });
    leave(member);
}

/// Sleeps until something completes.
void await(Member member, Duration patience, Consumer<WorkCompletion> action) {
    member.cq.arm();
    if (member.cq.poll(action::accept, 1) == 0) {
        member.cq.channel().await(patience);
        if (member.cq.poll(action::accept, 1) == 0) {
            throw new IllegalStateException(member.name + ": nothing came in " + patience);
        }
    }
}

void leave(Member member) {
    member.id.leaveMulticast(GROUP);
    member.id.close();
    member.buffer.close();
    member.cq.close();
    member.cq.channel().close();
}
