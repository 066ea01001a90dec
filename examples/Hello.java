import module io.verbena.verbs;

/// Writes into the memory of another queue pair. Needs no adapter, no root and no set-up.
void main() {
    try (Context context = Rdma.openDevice("127.0.0.1");
            var pd = context.allocateProtectionDomain();
            CompletionQueue cq = context.createCompletionQueue(16);
            QueuePair left = pd.createQueuePair(QueuePairOptions.rc(cq));
            QueuePair right = pd.createQueuePair(QueuePairOptions.rc(cq));
            MemoryRegion text = pd.allocate(64, Access.LOCAL_WRITE);
            MemoryRegion box = pd.allocate(64, Access.LOCAL_WRITE, Access.REMOTE_WRITE)) {
        connect(left, right.number(), context.gid(1, 0));
        connect(right, left.number(), context.gid(1, 0));

        text.memory().setString(0, "hello, remote memory");
        left.post(left.newSendRequest().write(box.remote()).from(text, 0, 64).signaled());
        cq.poll(completion -> IO.println("RDMA WRITE: " + completion.status()), 1, Duration.ofSeconds(2));
        IO.println(box.memory().getString(0));
    } catch (RdmaException e) { // such as a device that another process has; it says what to do
        System.err.println("Hello: " + e.getMessage());
        System.exit(1);
    }
}

void connect(QueuePair qp, int peer, Gid address) {
    qp.modify(QueuePairChange.toInit().access(Access.REMOTE_WRITE));
    qp.modify(QueuePairChange.toRtr(AddressVector.to(address), peer, 0));
    qp.modify(QueuePairChange.toRts(0));
}
