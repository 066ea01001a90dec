package io.verbena.bench.ours;

import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.Rdma;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.PortSpace;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// The third process of a mixed device: `UdpPeer ADDRESS`. Both sides connect to it. It uses only UDP, so their
/// connections to it do, too. It prints `listening` and `connected`, and takes orders, one per line:
///
/// - `go`: sends a message to both now, and another one every 10 ms; answers `going` when both have the first one
/// - `pause`: sleeps until the next order, so that it disturbs no other measurement; answers `paused`
///
/// Errors are answered with `error TEXT`. The process ends when its standard input does.
public final class UdpPeer {
    static final int BYTES = 8;
    /// The two sides.
    static final int CONNECTIONS = 2;

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration FIRST_LIMIT = Duration.ofSeconds(5);
    private static final int GAP_MS = 10;
    private static final int QUEUE = 64;

    private final List<Connection> connections = new ArrayList<>();

    private UdpPeer() {}

    /// One of the two connections, with a message that is sent again and again.
    private record Connection(CompletionQueue cq, QueuePair qp, SendRequest send, CompletionCounter counter) {
        static Connection accept(ConnectionId listener) {
            ConnectionId id = listener.awaitRequest(LIMIT);
            if (id == null) {
                throw new IllegalStateException("nobody came within " + LIMIT);
            }
            CompletionQueue cq = id.context().createCompletionQueue(QUEUE);
            QueuePair qp = id.createQueuePair(
                    id.protectionDomain(), QueuePairOptions.rc(cq).sendRequests(QUEUE));
            MemoryRegion region = id.protectionDomain().allocate(BYTES, Access.LOCAL_WRITE);
            SendRequest send =
                    qp.newSendRequest().wrId(1).send().from(region, 0, BYTES).signaled();
            id.accept(ConnectionParameters.DEFAULT);
            return new Connection(cq, qp, send, new CompletionCounter());
        }

        /// A full queue means that the peer has not taken the last messages yet: the path is still in use.
        void sendOne() {
            cq.poll(counter, QUEUE);
            qp.post(send);
        }

        void awaitOne() throws InterruptedException {
            long end = System.nanoTime() + FIRST_LIMIT.toNanos();
            while (counter.sent == 0) {
                cq.poll(counter, QUEUE);
                if (System.nanoTime() - end > 0) {
                    throw new IllegalStateException("a message over UDP did not arrive within " + FIRST_LIMIT);
                }
                Thread.sleep(1);
            }
        }
    }

    public static void main(String[] arguments) {
        BlockingQueue<String> orders = new LinkedBlockingQueue<>();
        Thread.ofPlatform().daemon().name("orders").start(() -> read(orders));
        try {
            UdpPeer peer = new UdpPeer();
            peer.meet(new InetSocketAddress(arguments[0], SideSetup.UDP_PEER_PORT));
            peer.obey(orders);
        } catch (Throwable e) { // any error must be reported to the benchmark
            System.out.println("error " + e);
            Runtime.getRuntime().halt(1);
        }
    }

    private static void read(BlockingQueue<String> orders) {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                orders.add(line);
            }
        } catch (IOException gone) {
            // an error is the end, too
        }
        System.exit(0); // deletes files that are to be deleted on exit
    }

    private void meet(InetSocketAddress home) {
        ConnectionId listener =
                Rdma.provider("soft").connectionManager().createEndpoint(PortSpace.TCP, home, null, LIMIT);
        listener.listen(CONNECTIONS);
        System.out.println("listening");
        for (int i = 0; i < CONNECTIONS; i++) {
            connections.add(Connection.accept(listener));
        }
        System.out.println("connected");
    }

    private void obey(BlockingQueue<String> orders) throws InterruptedException {
        boolean going = false;
        while (true) {
            String order = going ? orders.poll(GAP_MS, TimeUnit.MILLISECONDS) : orders.take();
            if (order == null) {
                connections.forEach(Connection::sendOne);
            } else if (order.equals("go")) {
                going = true;
                begin();
                System.out.println("going");
            } else if (order.equals("pause")) {
                going = false;
                System.out.println("paused");
            } else {
                throw new IllegalArgumentException("not an order: " + order);
            }
        }
    }

    private void begin() throws InterruptedException {
        for (Connection connection : connections) {
            connection.cq().poll(connection.counter(), QUEUE);
            connection.counter().restart();
            connection.sendOne();
        }
        for (Connection connection : connections) {
            connection.awaitOne();
        }
    }
}
