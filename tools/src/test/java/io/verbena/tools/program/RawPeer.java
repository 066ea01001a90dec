package io.verbena.tools.program;

import io.verbena.tools.LoopbackAddress;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.Rdma;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionOpcode;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A peer whose protocol the test decides: a queue pair, memory with all remote access, and completions to wait for.
public final class RawPeer implements AutoCloseable {
    public static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long BYTES = 1 << 20;

    private final ConnectionId id;
    private final CompletionQueue cq;
    private final MemoryRegion region;
    private final QueuePair qp;
    private final List<WorkCompletion> unread = new ArrayList<>();

    private RawPeer(ConnectionId id) {
        this.id = id;
        cq = id.context().createCompletionQueue(64);
        region = id.protectionDomain().allocate(BYTES, Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE);
        qp = id.createQueuePair(
                id.protectionDomain(), QueuePairOptions.rc(cq).sendRequests(32).receiveRequests(32));
    }

    public static ConnectionId newId() {
        return Rdma.provider("soft").connectionManager().createSynchronousId(PortSpace.TCP);
    }

    /// A peer whose route to a server is resolved, not connected yet.
    public static RawPeer resolve(String address, int port) {
        ConnectionId id = newId();
        id.resolveAddress(
                new InetSocketAddress(LoopbackAddress.any(), 0), new InetSocketAddress(address, port), PATIENCE);
        id.resolveRoute(PATIENCE);
        return new RawPeer(id);
    }

    public static ConnectionId listen(String address, int port) {
        ConnectionId listener = newId();
        listener.bind(new InetSocketAddress(address, port));
        listener.listen(1);
        return listener;
    }

    /// The next client, not accepted yet.
    public static RawPeer next(ConnectionId listener) {
        return new RawPeer(listener.awaitRequest(PATIENCE));
    }

    public ConnectionId id() {
        return id;
    }

    public MemoryRegion region() {
        return region;
    }

    public void connect(ConnectionParameters parameters) {
        id.connect(parameters);
    }

    public void accept(ConnectionParameters parameters) {
        id.accept(parameters);
    }

    /// Posts a receive into the region.
    public void receive(long at, long length) {
        qp.post(qp.newReceiveRequest().into(region, at, length));
    }

    public void send(long at, long length) {
        post(newRequest().send().from(region, at, length));
    }

    public SendRequest newRequest() {
        return qp.newSendRequest();
    }

    public void post(SendRequest request) {
        qp.post(request.signaled());
    }

    /// The next completion of that opcode; others are kept for later.
    public WorkCompletion await(CompletionOpcode opcode) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < PATIENCE.toNanos()) {
            cq.poll(completion -> unread.add(completion.copy()), 16);
            for (WorkCompletion completion : unread) {
                if (!completion.isSuccess() || completion.opcode() == opcode) {
                    unread.remove(completion);
                    return completion;
                }
            }
            Thread.onSpinWait();
        }
        throw new AssertionError("no " + opcode + " within " + PATIENCE);
    }

    @Override
    public void close() {
        qp.close();
        region.close();
        cq.close();
        id.close();
    }
}
