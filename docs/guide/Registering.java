import module io.verbena.verbs;
import io.verbena.verbs.ProtectionDomain;

/// Chapter 4: what registration allows. Each line is one request and how it ended.
Context context;
ProtectionDomain pd;

void main(String[] arguments) {
    context = Rdma.openDevice(arguments.length > 0 ? arguments[0] : "127.0.0.1");
    try {
        show();
    } finally {
        context.closeAll();
    }
}

void show() {
    pd = context.allocateProtectionDomain();
    ProtectionDomain otherPd = context.allocateProtectionDomain();
    MemoryRegion source = pd.allocate(64); // no rights: local reading is always allowed
    MemoryRegion open = pd.allocate(64, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
    MemoryRegion closed = pd.allocate(64, Access.LOCAL_WRITE);
    MemoryRegion foreign = otherPd.allocate(64, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
    RemoteBuffer target = open.remote();
    IO.println("keys for peers: open " + (open.rkey() != 0) + ", closed " + (closed.rkey() != 0));

    write("into memory that allows it", source, target);
    write("one byte beyond its end", source, new RemoteBuffer(target.address() + 1, 64, target.rkey()));
    write("with a wrong key", source, new RemoteBuffer(target.address(), 64, target.rkey() + 1));
    write("into memory without REMOTE_WRITE", source, new RemoteBuffer(closed.address(), 64, closed.lkey()));
    write("into memory of another protection domain", source, foreign.remote());
    write("from memory of another protection domain", foreign, target);
    receive("into memory with LOCAL_WRITE", source, closed);
    receive("into memory without LOCAL_WRITE", closed, source);
    open.close();
    write("into memory that is deregistered", source, target);
}

void write(String how, MemoryRegion from, RemoteBuffer to) {
    try (CompletionQueue cq = context.createCompletionQueue(16);
            QueuePair left = pd.createQueuePair(QueuePairOptions.rc(cq));
            QueuePair right = pd.createQueuePair(QueuePairOptions.rc(cq))) {
        connect(left, right);
        connect(right, left);
        left.post(left.newSendRequest().write(to).fromAddress(from.address(), 64, from.lkey()).signaled());
        cq.poll(completion -> IO.println("WRITE " + how + ": " + completion.status()), 1, Duration.ofSeconds(5));
    }
}

void receive(String how, MemoryRegion from, MemoryRegion into) {
    try (CompletionQueue sends = context.createCompletionQueue(16);
            CompletionQueue receives = context.createCompletionQueue(16);
            QueuePair left = pd.createQueuePair(QueuePairOptions.rc(sends));
            QueuePair right = pd.createQueuePair(QueuePairOptions.rc(receives))) {
        connect(left, right);
        connect(right, left);
        right.post(right.newReceiveRequest().into(into, 0, 64));
        left.post(left.newSendRequest().send().from(from, 0, 64).signaled());
        receives.poll(completion -> IO.print("RECEIVE " + how + ": " + completion.status()), 1, Duration.ofSeconds(5));
        sends.poll(completion -> IO.println("; the sender sees: " + completion.status()), 1, Duration.ofSeconds(5));
    }
}

void connect(QueuePair qp, QueuePair peer) {
    qp.modify(QueuePairChange.toInit().access(Access.REMOTE_WRITE));
    qp.modify(QueuePairChange.toRtr(AddressVector.to(context.gid(1, 0)), peer.number(), 0));
    qp.modify(QueuePairChange.toRts(0));
}
