import module io.verbena.verbs;

/// Chapter 2: what posting is. Two queue pairs of one process send messages to each other.
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
    CompletionQueue cq = context.createCompletionQueue(64);
    QueuePairOptions options = QueuePairOptions.rc(cq).sendRequests(4).receiveRequests(8).scatterGather(2, 2);
    QueuePair sender = pd.createQueuePair(options);
    QueuePair receiver = pd.createQueuePair(options);
    connect(sender, receiver, context.gid(1, 0));
    connect(receiver, sender, context.gid(1, 0));
    MemoryRegion from = pd.allocate(256, Access.LOCAL_WRITE);
    MemoryRegion into = pd.allocate(256, Access.LOCAL_WRITE);

    // One message, gathered from two places here, scattered into two places there.
    from.memory().setString(0, "title");
    from.memory().setString(100, "a longer body");
    ReceiveRequest receive = receiver.newReceiveRequest().wrId(1).into(into, 0, 8).and(into, 128, 64);
    SendRequest send = sender.newSendRequest().wrId(2).send().from(from, 0, 8).and(from, 100, 14).signaled();
    IO.println("RECEIVE posted: " + receiver.post(receive));
    IO.println("SEND posted: " + sender.post(send));
    cq.poll(completion -> {}, 2, Duration.ofSeconds(5));
    IO.println("header at 0: " + into.memory().getString(0) + ", body at 128: " + into.memory().getString(128));

    // Several requests in one call, and each has its own completion.
    for (int n = 0; n < 6; n++) {
        receiver.post(receiver.newReceiveRequest().wrId(10 + n).into(into, n * 8, 8));
    }
    List<SendRequest> chain = new ArrayList<>();
    for (int n = 0; n < 3; n++) {
        chain.add(sender.newSendRequest().wrId(20 + n).send().from(from, n * 8, 8).signaled());
    }
    IO.println("chain of 3, taken: " + sender.postSends(chain));
    List<Long> done = new ArrayList<>();
    cq.poll(completion -> done.add(completion.wrId()), 6, Duration.ofSeconds(5));
    IO.println("done: sends " + done.stream().filter(id -> id >= 20).toList()
            + ", receives " + done.stream().filter(id -> id < 20).toList());

    // The peer has three receives left. After those the SENDs wait, and the queue of four fills up. That is no error.
    SendRequest more = sender.newSendRequest().wrId(30).send().from(from, 0, 8).signaled();
    int posted = 0;
    while (sender.post(more)) {
        posted++;
    }
    IO.println("post says false when the queue is full: " + (posted >= sender.capabilities().maxSendRequests()));

    // A wrong request is refused at once.
    try {
        sender.post(sender.newSendRequest().send().from(from, 0, 8).and(from, 8, 8).and(from, 16, 8));
    } catch (BadRequestException e) {
        IO.println("refused: " + e.getMessage());
    }
}

void connect(QueuePair qp, QueuePair peer, Gid address) {
    qp.modify(QueuePairChange.toInit().access(Access.REMOTE_WRITE));
    qp.modify(QueuePairChange.toRtr(AddressVector.to(address), peer.number(), 0));
    qp.modify(QueuePairChange.toRts(0));
}
