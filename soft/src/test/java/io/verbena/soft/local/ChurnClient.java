package io.verbena.soft.local;

import io.verbena.soft.SoftProvider;
import io.verbena.soft.engine.Counter;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;

/// Connects to a [ChurnServer], sends one message, and disconnects, again and again: a client in this process or in
/// one of its own.
final class ChurnClient {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final int BYTES = 4096;

    private final ConnectionManager cm = new SoftProvider().connectionManager();
    private final InetAddress own;
    private final InetSocketAddress server;

    ChurnClient(InetAddress own, InetSocketAddress server) {
        this.own = own;
        this.server = server;
    }

    /// Arguments: `OWN SERVER PORT COUNT`. Prints how often it was interrupted.
    public static void main(String[] arguments) {
        InetSocketAddress server =
                new InetSocketAddress(InetAddress.ofLiteral(arguments[1]), Integer.parseInt(arguments[2]));
        ChurnClient churn = new ChurnClient(InetAddress.ofLiteral(arguments[0]), server);
        System.out.println("interrupted " + churn.run(Integer.parseInt(arguments[3])));
    }

    /// How often this thread found itself interrupted.
    int run(int count) {
        int interrupts = 0;
        for (int i = 0; i < count; i++) {
            useOnce(i);
            interrupts += Thread.interrupted() ? 1 : 0;
        }
        return interrupts;
    }

    private static long shared(ConnectionId id) {
        return id.context().counters().getOrDefault(Counter.SHARED_MESSAGES.label(), 0L);
    }

    /// Long messages are fetched by the other side while this one may be closing; short ones are not.
    private void useOnce(int number) {
        int bytes = number % 3 == 0 ? BYTES : 64;
        try (ConnectionId id = cm.createEndpoint(PortSpace.TCP, new InetSocketAddress(own, 0), server, LONG);
                CompletionQueue cq = id.context().createCompletionQueue(16);
                MemoryRegion memory = id.protectionDomain().allocate(BYTES, Access.LOCAL_WRITE);
                QueuePair qp = id.createQueuePair(id.protectionDomain(), QueuePairOptions.rc(cq))) {
            long before = shared(id);
            id.connect(null);
            qp.post(qp.newSendRequest().send().from(memory, 0, bytes).signaled());
            CompletionStatus[] status = {null};
            int done = cq.poll(completion -> status[0] = completion.status(), 1, LONG);
            if (done != 1 || status[0] != CompletionStatus.SUCCESS) {
                throw new AssertionError("message " + number + " ended with " + status[0]);
            }
            if (shared(id) != before + 1) {
                throw new AssertionError("message " + number + " went over the network");
            }
            if (number % 2 == 0) {
                id.disconnect();
            }
        }
    }
}
