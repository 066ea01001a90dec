import module io.verbena.verbs;

/// Chapter 8: a stream of messages that never meets a receiver without a buffer. Each SEND takes a credit, and the
/// receiver returns credits when it has posted its buffers again.
static final int BUFFERS = 8;
static final int MESSAGES = 1000;
static final int BYTES = 256;

void main(String[] arguments) {
    Context context = Rdma.openDevice(arguments.length > 0 ? arguments[0] : "127.0.0.1");
    try {
        stream(context);
    } finally {
        context.closeAll();
    }
}

void stream(Context context) {
    var pd = context.allocateProtectionDomain();
    CompletionQueue ours = context.createCompletionQueue(64);
    CompletionQueue theirs = context.createCompletionQueue(64);
    QueuePair sender = pd.createQueuePair(QueuePairOptions.rc(ours));
    QueuePair receiver = pd.createQueuePair(QueuePairOptions.rc(theirs));
    connect(sender, receiver, context.gid(1, 0));
    connect(receiver, sender, context.gid(1, 0));
    MemoryRegion from = pd.allocate(BYTES);
    MemoryRegion into = pd.allocate(BUFFERS * BYTES, Access.LOCAL_WRITE);
    for (int n = 0; n < BUFFERS; n++) {
        receiver.post(receiver.newReceiveRequest().wrId(n).into(into, n * BYTES, BYTES));
        sender.post(sender.newReceiveRequest().empty()); // for the credits, which travel as immediate data
    }

    int credits = BUFFERS;
    int sent = 0, received = 0, returned = 0, calls = 0, creditMessages = 0;
    int[] got = new int[2]; // messages, credits
    while (received < MESSAGES) {
        List<SendRequest> chain = new ArrayList<>();
        while (credits > 0 && sent < MESSAGES) {
            credits--;
            sent++;
            chain.add(sender.newSendRequest().send().from(from, 0, BYTES).signaled(credits == 0)); // one per chain
        }
        if (!chain.isEmpty()) {
            sender.postSends(chain); // one call for all of them
            calls++;
        }

        got[0] = 0;
        theirs.poll(completion -> {
            if (isReceive(completion)) { // a program would use the message here
                int buffer = (int) completion.wrId();
                receiver.post(receiver.newReceiveRequest().wrId(buffer).into(into, buffer * BYTES, BYTES));
                got[0]++;
            }
        }, 16);
        received += got[0];
        if (received - returned >= BUFFERS / 2) {
            receiver.post(receiver.newSendRequest().sendWithImmediate(received - returned).empty().signaled());
            returned = received;
            creditMessages++;
        }

        got[1] = 0;
        ours.poll(completion -> {
            if (isReceive(completion)) {
                got[1] += completion.immediate();
                sender.post(sender.newReceiveRequest().empty());
            }
        }, 16);
        credits += got[1];
    }
    IO.println(received + " messages through " + BUFFERS + " buffers");
    IO.println("calls of postSends: " + calls + ", messages with credits: " + creditMessages);
    IO.println("receiver not ready: " + context.counters().getOrDefault("RNR NAKs received", 0L) + " times");
}

boolean isReceive(WorkCompletion completion) {
    if (!completion.isSuccess()) {
        throw new IllegalStateException(completion.status().explain());
    }
    return completion.opcode() == CompletionOpcode.RECEIVE;
}

void connect(QueuePair qp, QueuePair peer, Gid address) {
    qp.modify(QueuePairChange.toInit());
    qp.modify(QueuePairChange.toRtr(AddressVector.to(address), peer.number(), 0));
    qp.modify(QueuePairChange.toRts(0));
}
