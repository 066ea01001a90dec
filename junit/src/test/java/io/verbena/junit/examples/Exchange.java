package io.verbena.junit.examples;

import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;

/// The program under test: a server that answers one client's questions, and the client. It does not know whether its
/// network is real.
final class Exchange {
    static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int PORT = 7471;
    private static final int BYTES = 256;

    private Exchange() {}

    /// Answers until the client leaves.
    static void serve(ConnectionManager cm, InetAddress address) {
        try (ConnectionId listener = cm.createSynchronousId(PortSpace.TCP)) {
            listener.bind(new InetSocketAddress(address, PORT));
            listener.listen(0);
            try (ConnectionId id = listener.awaitRequest(LIMIT);
                    MemoryRegion buffer = id.protectionDomain().allocate(2 * BYTES, Access.LOCAL_WRITE)) {
                QueuePair qp = id.createQueuePair(QueuePairOptions.rc());
                qp.post(qp.newReceiveRequest().into(buffer, 0, BYTES));
                id.accept(ConnectionParameters.DEFAULT);
                while (await(qp.receiveCq()) == CompletionStatus.SUCCESS) {
                    buffer.memory().setString(BYTES, "re: " + buffer.memory().getString(0));
                    qp.post(qp.newReceiveRequest()
                            .into(buffer, 0, BYTES)); // before the answer: the next question follows
                    qp.post(qp.newSendRequest()
                            .send()
                            .from(buffer, BYTES, BYTES)
                            .signaled());
                    await(qp.sendCq());
                }
            }
        }
    }

    /// A client's end.
    static final class Client implements AutoCloseable {
        private final ConnectionId id;
        private final QueuePair qp;
        private final MemoryRegion buffer;

        Client(ConnectionManager cm, InetAddress local, InetAddress server) {
            id = cm.createEndpoint(
                    PortSpace.TCP, new InetSocketAddress(local, 0), new InetSocketAddress(server, PORT), LIMIT);
            id.timeout(LIMIT);
            qp = id.createQueuePair(QueuePairOptions.rc());
            buffer = id.protectionDomain().allocate(2 * BYTES, Access.LOCAL_WRITE);
            id.connect(ConnectionParameters.DEFAULT);
        }

        /// The answer; an exception when the connection broke.
        String ask(String question) {
            buffer.memory().setString(0, question);
            qp.post(qp.newReceiveRequest().into(buffer, BYTES, BYTES)); // first a place for the answer
            qp.post(qp.newSendRequest().send().from(buffer, 0, BYTES).signaled());
            require(await(qp.sendCq()));
            require(await(qp.receiveCq()));
            return buffer.memory().getString(BYTES);
        }

        private static void require(CompletionStatus status) {
            if (status != CompletionStatus.SUCCESS) {
                throw new IllegalStateException(String.valueOf(status));
            }
        }

        @Override
        public void close() {
            buffer.close();
            id.close();
        }
    }

    /// The status of the next completion; null when none came.
    private static CompletionStatus await(CompletionQueue cq) {
        CompletionStatus[] status = new CompletionStatus[1];
        cq.poll(completion -> status[0] = completion.status(), 1, LIMIT);
        return status[0];
    }
}
