package io.verbena.lab.peers;

import io.verbena.lab.Host;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.QueuePairType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionOption;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.PortSpace;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;

/// Programs like those of the OFA course, on the kernel's device. They rely on completions that a careful program would
/// wait for: an acknowledgement that comes after the answer, or after the disconnect, makes them fail.
///
/// Receives have the numbers from 0 on, sends [#SEND].
final class CourseProgram implements AutoCloseable {
    private static final int SEND = 1 << 20;
    private static final int DEPTH = 64;
    private static final int CREDIT_BYTES = 8;
    /// 4.3 s: a busy emulated machine may not run our side for a second.
    private static final int ACK_TIMEOUT = 20;

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final ConnectionParameters PARAMETERS =
            ConnectionParameters.DEFAULT.withReads(2, 2).withRetries(5, 5);
    private static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final ConnectionId id;
    private final int bytes;
    private final long sendAt;
    private final CompletionQueue cq;
    private final MemoryRegion memory;
    private final QueuePair qp;
    private int sends;
    private int receives;
    private int lastReceive;

    /// @param slots number of receives of that many bytes that may be posted
    private CourseProgram(ConnectionId id, int slots, int bytes) {
        this.id = id;
        this.bytes = bytes;
        this.sendAt = (long) slots * bytes;
        cq = id.context().createCompletionQueue(2 * DEPTH);
        memory = id.protectionDomain().allocate(sendAt + bytes, Access.LOCAL_WRITE);
        qp = id.createQueuePair(
                id.protectionDomain(),
                QueuePairOptions.of(QueuePairType.RC, cq, cq)
                        .sendRequests(DEPTH)
                        .receiveRequests(DEPTH));
        for (int i = 0; i < slots; i++) {
            postReceive(i);
        }
    }

    /// A client of `ping` that counts the completions when the last answer has arrived. Empty when none is missing.
    static String ping(int port, int count, int bytes) {
        ConnectionId id = Host.RXE0
                .connections()
                .createEndpoint(
                        PortSpace.TCP,
                        new InetSocketAddress(Host.RXE0.address(), 0),
                        new InetSocketAddress(Host.SOFT.address(), port),
                        PATIENCE);
        try (var client = new CourseProgram(id, 1, bytes)) {
            id.timeout(PATIENCE);
            id.option(ConnectionOption.ACK_TIMEOUT, ACK_TIMEOUT);
            byte[] amount =
                    ByteBuffer.allocate(16).putLong(count).putLong(bytes).array();
            id.connect(PARAMETERS.withPrivateData(amount));
            for (int n = 1; n <= count; n++) {
                client.postSend(bytes);
                client.awaitReceives(n);
                if (n < count) {
                    client.postReceive(0);
                }
            }
            client.cq.poll(client::onCompletion, DEPTH);
            String wrong = client.sends == count
                    ? ""
                    : client.sends + " sends had completed with " + client.receives + " receives\n";
            id.disconnect();
            return wrong;
        }
    }

    /// A server of `blast`, with as many receives as the client asks for. It returns credits for a third of them at a
    /// time, and fails when its last credit is not acknowledged before the client leaves. Serves one client of
    /// `listener`; empty when all went well.
    static String blast(ConnectionId listener) {
        ConnectionId id = listener.awaitRequest(PATIENCE);
        if (id == null) {
            return "no client came\n";
        }
        ByteBuffer told = ByteBuffer.wrap(id.event().privateData());
        int count = Math.toIntExact(told.getLong());
        int size = Math.toIntExact(told.getLong());
        int buffers = Math.toIntExact(told.getLong());
        try (var server = new CourseProgram(id, buffers, size)) {
            id.timeout(PATIENCE);
            id.accept(PARAMETERS);
            server.receive(count, buffers);
            id.disconnect();
            return "";
        }
    }

    static ConnectionId listen(int port) {
        ConnectionId listener = Host.RXE0.connections().createSynchronousId(PortSpace.TCP);
        listener.option(ConnectionOption.ACK_TIMEOUT, ACK_TIMEOUT);
        listener.bind(new InetSocketAddress(Host.RXE0.address(), port));
        listener.listen(0);
        return listener;
    }

    private void receive(int count, int buffers) {
        int credited = 0;
        int credits = 0;
        for (int n = 1; n <= count; n++) {
            awaitReceives(n);
            postReceive(lastReceive);
            if (n == count || 3 * (n - credited) >= buffers) {
                awaitSends(credits); // they share one buffer
                memory.memory().set(U64, sendAt, n - credited);
                postSend(CREDIT_BYTES);
                credited = n;
                credits++;
            }
        }
        awaitSends(credits);
    }

    private void postReceive(int slot) {
        qp.post(qp.newReceiveRequest().wrId(slot).into(memory, (long) slot * bytes, bytes));
    }

    private void postSend(int length) {
        qp.post(qp.newSendRequest()
                .wrId(SEND)
                .send()
                .from(memory, sendAt, length)
                .signaled());
    }

    private void awaitReceives(int wanted) {
        long start = System.nanoTime();
        while (receives < wanted) {
            poll(start, "receive " + wanted);
        }
    }

    private void awaitSends(int wanted) {
        long start = System.nanoTime();
        while (sends < wanted) {
            poll(start, "send " + wanted);
        }
    }

    private void poll(long start, String what) {
        if (cq.poll(this::onCompletion, 1) == 0) {
            Thread.yield();
            if (System.nanoTime() - start > PATIENCE.toNanos()) {
                throw new IllegalStateException("no " + what + " in " + PATIENCE + "; " + this);
            }
        }
    }

    private void onCompletion(WorkCompletion completion) {
        if (!completion.isSuccess()) {
            throw new IllegalStateException(completion.status().explain() + "; " + this);
        }
        if (completion.wrId() == SEND) {
            sends++;
        } else {
            receives++;
            lastReceive = (int) completion.wrId();
        }
    }

    @Override
    public String toString() {
        return "completed: " + sends + " sends, " + receives + " receives";
    }

    @Override
    public void close() {
        qp.close();
        memory.close();
        cq.close();
        id.close();
    }
}
