import module io.verbena.verbs;

/// Chapter 3: what a completion says, which requests have one, and what happens after an error.
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
    CompletionQueue sends = context.createCompletionQueue(64);
    CompletionQueue receives = context.createCompletionQueue(64);
    QueuePair sender = pd.createQueuePair(QueuePairOptions.rc(sends));
    QueuePair receiver = pd.createQueuePair(QueuePairOptions.rc(receives));
    connect(sender, receiver, context.gid(1, 0));
    connect(receiver, sender, context.gid(1, 0));
    MemoryRegion memory = pd.allocate(256, Access.LOCAL_WRITE);

    IO.println("four SENDs, only the last is signaled:");
    for (int n = 1; n <= 4; n++) {
        receiver.post(receiver.newReceiveRequest().wrId(100 + n).into(memory, 128, 64));
        sender.post(sender.newSendRequest().wrId(n).send().from(memory, 0, 10 * n).signaled(n == 4));
    }
    print("  receiver", receives, 4);
    print("  sender  ", sends, 1);

    IO.println("a message of 64 bytes for a receive of 8, and two requests behind it:");
    receiver.post(receiver.newReceiveRequest().wrId(105).into(memory, 128, 8));
    receiver.post(receiver.newReceiveRequest().wrId(106).into(memory, 128, 64));
    for (int n = 5; n <= 7; n++) {
        sender.post(sender.newSendRequest().wrId(n).send().from(memory, 0, 64));
    }
    print("  receiver", receives, 2);
    print("  sender  ", sends, 3);
    IO.println("the sender is in state " + sender.query().state());
}

void print(String who, CompletionQueue cq, int count) {
    cq.poll(completion -> {
        String line = who + ": wrId " + completion.wrId() + ", " + completion.status();
        if (completion.isSuccess()) { // otherwise only wrId and status are valid
            line += ", " + completion.opcode() + (completion.opcode() == CompletionOpcode.RECEIVE
                    ? " of " + completion.byteLength() + " bytes" : "");
        }
        IO.println(line);
    }, count, Duration.ofSeconds(5));
}

void connect(QueuePair qp, QueuePair peer, Gid address) {
    qp.modify(QueuePairChange.toInit().access(Access.REMOTE_WRITE));
    qp.modify(QueuePairChange.toRtr(AddressVector.to(address), peer.number(), 0));
    qp.modify(QueuePairChange.toRts(0));
}
