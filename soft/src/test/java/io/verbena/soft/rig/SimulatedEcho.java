package io.verbena.soft.rig;

import io.verbena.soft.fabric.SimulatedHost;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.PortSpace;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.time.Duration;

/// An echo server and client with blocking calls.
public final class SimulatedEcho {
    public static final Duration LONG = Duration.ofMinutes(5);
    private static final int PORT = 7471;

    private SimulatedEcho() {}

    /// Returns each client's numbers, one client after the other, until all have disconnected.
    public static void serve(SimulatedHost host, int clients) {
        try (ConnectionId listener = host.connectionManager().createSynchronousId(PortSpace.TCP)) {
            listener.bind(new InetSocketAddress(host.address(), PORT));
            listener.listen(0);
            for (int i = 0; i < clients; i++) {
                try (ConnectionId id = listener.awaitRequest(LONG);
                        MemoryRegion buffer = id.protectionDomain().allocate(8, Access.LOCAL_WRITE)) {
                    id.timeout(LONG);
                    QueuePair qp = id.createQueuePair(QueuePairOptions.rc());
                    qp.post(qp.newReceiveRequest().into(buffer, 0, 4));
                    id.accept(ConnectionParameters.DEFAULT);
                    while (await(qp.receiveCq())) {
                        buffer.memory()
                                .set(ValueLayout.JAVA_INT, 4, buffer.memory().get(ValueLayout.JAVA_INT, 0));
                        qp.post(qp.newReceiveRequest().into(buffer, 0, 4));
                        qp.post(qp.newSendRequest().send().from(buffer, 4, 4).signaled());
                        await(qp.sendCq());
                    }
                }
            }
        }
    }

    /// Sends numbers and waits for each reply. Returns how many were right.
    public static int ask(SimulatedHost host, SimulatedHost server, int numbers) {
        InetSocketAddress peer = new InetSocketAddress(server.address(), PORT);
        try (ConnectionId id = host.connectionManager().createEndpoint(PortSpace.TCP, null, peer, LONG);
                MemoryRegion buffer = id.protectionDomain().allocate(8, Access.LOCAL_WRITE)) {
            id.timeout(LONG);
            QueuePair qp = id.createQueuePair(QueuePairOptions.rc());
            id.connect(ConnectionParameters.DEFAULT);
            int right = 0;
            for (int i = 0; i < numbers; i++) {
                buffer.memory().set(ValueLayout.JAVA_INT, 0, i);
                qp.post(qp.newReceiveRequest().into(buffer, 4, 4));
                qp.post(qp.newSendRequest().send().from(buffer, 0, 4).signaled());
                boolean done = await(qp.sendCq()) && await(qp.receiveCq());
                right += done && buffer.memory().get(ValueLayout.JAVA_INT, 4) == i ? 1 : 0;
            }
            id.disconnect();
            return right;
        }
    }

    /// Whether the next completion is one of success.
    private static boolean await(CompletionQueue cq) {
        boolean[] success = new boolean[1];
        cq.poll(completion -> success[0] = completion.isSuccess(), 1, LONG);
        return success[0];
    }
}
