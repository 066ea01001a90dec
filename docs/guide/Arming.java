import module io.verbena.verbs;

/// Chapter 6: what arming a completion queue does.
CompletionChannel channel;
CompletionQueue cq;

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
    channel = context.createCompletionChannel();
    cq = context.createCompletionQueue(64, channel); // its events go to the channel
    CompletionQueue other = context.createCompletionQueue(64);
    QueuePair left = pd.createQueuePair(QueuePairOptions.rc(other));
    QueuePair right = pd.createQueuePair(QueuePairOptions.rc(cq));
    connect(left, right, context.gid(1, 0));
    connect(right, left, context.gid(1, 0));
    for (int n = 0; n < 8; n++) {
        right.post(right.newReceiveRequest().empty());
    }
    SendRequest send = left.newSendRequest().send().empty().signaled();
    Runnable message = () -> {
        left.post(send);
        other.poll(completion -> {}, 1, Duration.ofSeconds(5)); // the peer has acknowledged it: the message is there
    };

    message.run();
    IO.println("not armed, a message:      " + events());
    cq.arm();
    IO.println("armed after it came:       " + events());
    message.run();
    message.run();
    IO.println("two more messages:         " + events());
    IO.println("completions in the queue:  " + cq.poll(completion -> {}, 16));
    cq.arm(true);
    message.run();
    IO.println("armed for solicited only:  " + events());
    send.solicited();
    message.run();
    IO.println("a solicited message:       " + events());
    IO.println("completions in the queue:  " + cq.poll(completion -> {}, 16));
}

String events() {
    int count = 0;
    while (channel.await(Duration.ofMillis(200)) != null) {
        count++;
    }
    return count == 0 ? "no event" : count + " event";
}

void connect(QueuePair qp, QueuePair peer, Gid address) {
    qp.modify(QueuePairChange.toInit());
    qp.modify(QueuePairChange.toRtr(AddressVector.to(address), peer.number(), 0));
    qp.modify(QueuePairChange.toRts(0));
}
