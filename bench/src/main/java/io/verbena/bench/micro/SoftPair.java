package io.verbena.bench.micro;

import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Context;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.Rdma;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.RemoteBuffer;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.WorkCompletionHandler;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.QueuePairState;
import java.net.InetAddress;
import java.util.Locale;

/// Two software devices in one process with a connected queue pair each, and one thread that posts and polls for both:
/// the cost of the machinery, without that of switching between two threads.
public final class SoftPair implements AutoCloseable {
    /// Requests in one batch; fewer than fit into a queue.
    public static final int BATCH = 64;

    public static final String UDP = "udp";
    public static final String SHARED = "shared";

    private static final String PATH_PROPERTY = "verbena.soft.path";
    private static final String SHARED_COUNTER = "messages over shared memory";
    private static final int BYTES = 64;
    private static final int MEMORY_BYTES = 4096;
    /// A completion that takes longer will not come.
    private static final long PATIENCE_NS = 10_000_000_000L;

    private static final int POLLS_BETWEEN_CLOCKS = 1024;

    private final String path;
    private final BenchSide left;
    private final BenchSide right;
    private final WorkCompletionHandler onCompletion = this::onCompletion;
    private final SendRequest write;
    private final SendRequest read;
    private final SendRequest fetchAndAdd;
    private final SendRequest send;
    private final ReceiveRequest receive;
    private final QueuePair broken;
    private final ReceiveRequest flushed;
    private long count;
    private int seen;
    private String failure;

    /// @param path one of [#UDP] and [#SHARED], or `auto`; devices of this process must not be open yet
    public SoftPair(String path) {
        this.path = path;
        System.setProperty(PATH_PROPERTY, path);
        left = new BenchSide(address(89));
        right = new BenchSide(address(90));
        left.connect(right);
        right.connect(left);
        RemoteBuffer remote = right.memory.remote();
        write = left.qp
                .newSendRequest()
                .write(remote)
                .from(left.memory, 0, BYTES)
                .signaled();
        read = left.qp.newSendRequest().read(remote).into(left.memory, 0, BYTES).signaled();
        fetchAndAdd = left.qp
                .newSendRequest()
                .fetchAndAdd(remote, 1)
                .into(left.memory, 0, Long.BYTES)
                .signaled();
        send = left.qp.newSendRequest().send().from(left.memory, 0, BYTES).signaled();
        receive = right.qp.newReceiveRequest().into(right.memory, 0, BYTES);
        broken = left.pd.createQueuePair(QueuePairOptions.rc(left.cq).receiveRequests(2 * BATCH));
        broken.modify(QueuePairChange.toInit());
        broken.modify(QueuePairChange.to(QueuePairState.ERR));
        flushed = broken.newReceiveRequest().into(left.memory, 0, BYTES);
    }

    /// Addresses for this process alone, since another run may be going on.
    private static InetAddress address(int net) {
        long pid = ProcessHandle.current().pid();
        String text = String.format(Locale.ROOT, "127.%d.%d.%d", net, 1 + pid / 250 % 250, 1 + pid % 250);
        return InetAddress.ofLiteral(text);
    }

    private static final class BenchSide {
        final InetAddress address;
        final Context context;
        final ProtectionDomain pd;
        final CompletionQueue cq;
        final MemoryRegion memory;
        final QueuePair qp;

        BenchSide(InetAddress address) {
            this.address = address;
            context = Rdma.provider("soft")
                    .device(address.getHostAddress())
                    .orElseThrow()
                    .open();
            pd = context.allocateProtectionDomain();
            cq = context.createCompletionQueue(8 * BATCH);
            memory = pd.allocate(
                    MEMORY_BYTES, Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);
            qp = pd.createQueuePair(
                    QueuePairOptions.rc(cq).sendRequests(2 * BATCH).receiveRequests(2 * BATCH));
        }

        void connect(BenchSide peer) {
            qp.modify(QueuePairChange.toInit().access(Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC));
            qp.modify(QueuePairChange.toRtr(AddressVector.to(peer.address), peer.qp.number(), 0));
            qp.modify(QueuePairChange.toRts(0));
        }
    }

    /// Throws unless the messages take the given path, by the device's counters.
    public void requirePath() {
        sendAndReceive();
        boolean shared = left.context.counters().getOrDefault(SHARED_COUNTER, 0L) > 0;
        if (shared != path.equals(SHARED)) {
            throw new IllegalStateException("the path " + path + " was asked for and is not used");
        }
    }

    private void onCompletion(WorkCompletion completion) {
        seen++;
        if (!completion.isSuccess() && completion.qpNumber() != broken.number()) {
            failure = completion.status().explain();
        }
    }

    /// Posts a WRITE of 64 bytes and polls until it is done.
    public int write() {
        return one(write);
    }

    public int read() {
        return one(read);
    }

    public int fetchAndAdd() {
        return one(fetchAndAdd);
    }

    /// Posts many WRITEs, then polls until all are done.
    public int writes() {
        for (int i = 0; i < BATCH; i++) {
            require(left.qp.post(write.wrId(count++)));
        }
        return await(BATCH);
    }

    /// Posts a receive and a SEND of 64 bytes, and polls until both are done.
    public int sendAndReceive() {
        require(right.qp.post(receive.wrId(count)));
        require(left.qp.post(send.wrId(count++)));
        return await(2);
    }

    /// Receives of a queue pair in the error state: they pass only through the work queue and the completion queue.
    public int flush() {
        for (int i = 0; i < BATCH; i++) {
            require(broken.post(flushed.wrId(count++)));
        }
        return await(BATCH);
    }

    public int pollEmpty() {
        return left.cq.poll(onCompletion, BATCH);
    }

    private int one(SendRequest request) {
        require(left.qp.post(request.wrId(count++)));
        return await(1);
    }

    private void require(boolean posted) {
        if (!posted) {
            throw new IllegalStateException("a request was refused: the queue of " + 2 * BATCH + " is full");
        }
    }

    private int await(int completions) {
        seen = 0;
        long deadline = 0;
        for (int polls = 1; seen < completions; polls++) {
            if (left.cq.poll(onCompletion, BATCH) + right.cq.poll(onCompletion, BATCH) == 0
                    && polls % POLLS_BETWEEN_CLOCKS == 0) {
                deadline = checked(deadline);
            }
        }
        if (failure != null) {
            throw new IllegalStateException("a request failed: " + failure);
        }
        return seen;
    }

    private static long checked(long deadline) {
        long now = System.nanoTime();
        if (deadline != 0 && now - deadline > 0) {
            throw new IllegalStateException("no completion for " + PATIENCE_NS / 1_000_000_000 + " s");
        }
        return deadline == 0 ? now + PATIENCE_NS : deadline;
    }

    @Override
    public void close() {
        left.context.closeAll();
        right.context.closeAll();
    }
}
