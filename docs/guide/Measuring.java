import module io.verbena.verbs;

/// Chapter 11: how long WRITEs take, with percentiles. The first rounds are slow: Java still compiles.
static final int ROUNDS = 20_000;

void main(String[] arguments) {
    Context context = Rdma.openDevice(arguments.length > 0 ? arguments[0] : "127.0.0.1");
    try {
        measure(context);
    } finally {
        context.closeAll();
    }
}

void measure(Context context) {
    var pd = context.allocateProtectionDomain();
    CompletionQueue cq = context.createCompletionQueue(16);
    QueuePair left = pd.createQueuePair(QueuePairOptions.rc(cq));
    QueuePair right = pd.createQueuePair(QueuePairOptions.rc(cq));
    connect(left, right, context.gid(1, 0));
    connect(right, left, context.gid(1, 0));
    MemoryRegion from = pd.allocate(64);
    MemoryRegion into = pd.allocate(64, Access.LOCAL_WRITE, Access.REMOTE_WRITE);

    SendRequest write = left.newSendRequest().write(into.remote()).from(from, 0, 64).signaled(); // made once
    WorkCompletionHandler ignore = completion -> {}; // made once
    long[] nanos = new long[ROUNDS];
    for (int round = 1; round <= 4; round++) {
        for (int n = 0; n < ROUNDS; n++) {
            long start = System.nanoTime();
            left.post(write);
            cq.poll(ignore, 1, Duration.ofSeconds(5));
            nanos[n] = System.nanoTime() - start;
        }
        Arrays.sort(nanos);
        IO.println("round %d: %d WRITEs of 64 bytes, p50 %d ns, p99 %d ns, max %d us".formatted(
                round, ROUNDS, nanos[ROUNDS / 2], nanos[ROUNDS * 99 / 100], nanos[ROUNDS - 1] / 1000));
    }
}

void connect(QueuePair qp, QueuePair peer, Gid address) {
    qp.modify(QueuePairChange.toInit().access(Access.REMOTE_WRITE));
    qp.modify(QueuePairChange.toRtr(AddressVector.to(address), peer.number(), 0));
    qp.modify(QueuePairChange.toRts(0));
}
