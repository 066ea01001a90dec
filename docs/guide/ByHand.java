import module io.verbena.verbs;

/// Chapter 10: the states of a queue pair, and what works in each.
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
    CompletionQueue cq = context.createCompletionQueue(16);
    QueuePair qp = pd.createQueuePair(QueuePairOptions.rc(cq));
    QueuePair peer = pd.createQueuePair(QueuePairOptions.rc(cq));
    connect(peer, qp.number(), context.gid(1, 0));
    tryPosting(qp);

    qp.modify(QueuePairChange.toInit().access(Access.REMOTE_WRITE));
    tryPosting(qp);
    qp.modify(QueuePairChange.toRtr(AddressVector.to(context.gid(1, 0)), peer.number(), 0));
    tryPosting(qp);
    qp.modify(QueuePairChange.toRts(0));
    peer.post(peer.newReceiveRequest().empty());
    tryPosting(qp);

    qp.modify(QueuePairChange.to(QueuePairState.ERR));
    int[] flushed = new int[1];
    cq.poll(completion -> flushed[0] += completion.isSuccess() ? 0 : 1, 16, Duration.ofMillis(200));
    IO.println(qp.state() + ": " + flushed[0] + " receives came back flushed");
    try {
        qp.modify(QueuePairChange.toRts(0));
    } catch (RdmaException e) {
        IO.println(e.getMessage());
    }
}

void tryPosting(QueuePair qp) {
    IO.println(qp.state() + ": receive " + outcome(() -> qp.post(qp.newReceiveRequest().empty()))
            + ", send " + outcome(() -> qp.post(qp.newSendRequest().send().empty().signaled())));
}

String outcome(Runnable post) {
    try {
        post.run();
        return "posted";
    } catch (BadRequestException e) {
        return "refused";
    }
}

void connect(QueuePair qp, int peer, Gid address) {
    qp.modify(QueuePairChange.toInit().access(Access.REMOTE_WRITE));
    qp.modify(QueuePairChange.toRtr(AddressVector.to(address), peer, 0));
    qp.modify(QueuePairChange.toRts(0));
}
