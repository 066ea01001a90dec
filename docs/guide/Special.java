import module io.verbena.verbs;

/// Chapter 9: immediate data, atomics, ATOMIC_WRITE, and a key that a message revokes.
void main(String[] arguments) {
    Context context = Rdma.openDevice(arguments.length > 0 ? arguments[0] : "127.0.0.1");
    try {
        show(context);
    } finally {
        context.closeAll();
    }
}

void show(Context context) {
    var pd = context.allocateProtectionDomain();
    CompletionQueue clients = context.createCompletionQueue(64);
    CompletionQueue servers = context.createCompletionQueue(64);
    QueuePair client = pd.createQueuePair(QueuePairOptions.rc(clients));
    QueuePair server = pd.createQueuePair(QueuePairOptions.rc(servers));
    connect(client, server, context.gid(1, 0));
    connect(server, client, context.gid(1, 0));
    MemoryRegion mine = pd.allocate(64, Access.LOCAL_WRITE);
    MemoryRegion theirs = pd.allocate(
            64, Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC, Access.MEMORY_WINDOW_BIND);
    RemoteBuffer word = theirs.remote().slice(0, 8);

    server.post(server.newReceiveRequest().into(theirs, 32, 16));
    client.post(client.newSendRequest().sendWithImmediate(7).from(mine, 0, 16).signaled());
    print("SEND_WITH_IMM    client:", clients);
    print("                 server:", servers);
    server.post(server.newReceiveRequest().empty());
    mine.memory().set(ValueLayout.JAVA_LONG, 0, 40);
    client.post(client.newSendRequest().writeWithImmediate(word, 8).from(mine, 0, 8).signaled());
    print("WRITE_WITH_IMM   client:", clients);
    print("                 server:", servers);

    client.post(client.newSendRequest().fetchAndAdd(word, 2).into(mine, 8, 8).signaled());
    print("FETCH_AND_ADD 2  client:", clients);
    IO.println("                 before " + value(mine, 8) + ", now " + value(theirs, 0));
    client.post(client.newSendRequest().compareAndSwap(word, 41, 99).into(mine, 8, 8).signaled());
    print("CMP_AND_SWP 41   client:", clients);
    IO.println("                 before " + value(mine, 8) + ", so it stays " + value(theirs, 0));
    client.post(client.newSendRequest().compareAndSwap(word, 42, 99).into(mine, 8, 8).signaled());
    print("CMP_AND_SWP 42   client:", clients);
    IO.println("                 before " + value(mine, 8) + ", now " + value(theirs, 0));
    client.post(client.newSendRequest().atomicWrite(word).from(mine, 0, 8).signaled());
    print("ATOMIC_WRITE     client:", clients);
    IO.println("                 now " + value(theirs, 0));

    // The server opens a window for this client. When the client is done, its last SEND revokes the key.
    MemoryWindow window = pd.allocateMemoryWindow(MemoryWindowType.TYPE_2);
    int key = Keys.increment(window.rkey());
    server.post(server.newSendRequest()
            .bindMemoryWindow(window, key, theirs, theirs.address(), 8, Access.REMOTE_WRITE).signaled());
    print("BIND_MW          server:", servers);
    SendRequest write = client.newSendRequest().write(theirs.address(), key).from(mine, 0, 8).signaled();
    client.post(write);
    print("WRITE            client:", clients);
    server.post(server.newReceiveRequest().empty());
    client.post(client.newSendRequest().sendWithInvalidate(key).empty().signaled());
    print("SEND_WITH_INV    client:", clients);
    print("                 server:", servers);
    client.post(write);
    print("WRITE            client:", clients);
}

long value(MemoryRegion region, long offset) {
    return region.memory().get(ValueLayout.JAVA_LONG, offset);
}

void print(String what, CompletionQueue cq) {
    cq.poll(completion -> IO.println(what + " " + (completion.isSuccess() ? completion.opcode() : completion.status())
            + (completion.isSuccess() && completion.hasImmediate() ? ", immediate " + completion.immediate() : "")
            + (completion.isSuccess() && completion.hasInvalidatedKey() ? ", the key is revoked" : "")), 1, Duration.ofSeconds(5));
}

void connect(QueuePair qp, QueuePair peer, Gid address) {
    qp.modify(QueuePairChange.toInit().access(Access.REMOTE_WRITE, Access.REMOTE_ATOMIC));
    qp.modify(QueuePairChange.toRtr(AddressVector.to(address), peer.number(), 0));
    qp.modify(QueuePairChange.toRts(0));
}
