package io.verbena.tools.perf;

import io.verbena.tools.program.ProgramException;
import io.verbena.tools.program.Result;
import io.verbena.verbs.cm.ConnectionId;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// Dispatches the connection requests that arrive at the one port of a server with `-R`: those of new clients, and
/// those of the queue pairs of a client that is already connected. The two are told apart by the client's address.
final class RequestDispatcher {
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(10);

    private final Map<InetAddress, Expected> expected = new ConcurrentHashMap<>();

    /// The requests of one client's queue pairs, until it is closed.
    final class Expected implements AutoCloseable {
        private final InetAddress client;
        private final BlockingQueue<ConnectionId> requests = new LinkedBlockingQueue<>();

        private Expected(InetAddress client) {
            this.client = client;
        }

        /// The next request; null when none arrived within `limit`. The caller closes it.
        ConnectionId next(Duration limit) {
            try {
                return requests.poll(limit.toNanos(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                throw Result.interrupt("wait for a client");
            }
        }

        @Override
        public void close() {
            expected.remove(client);
            requests.forEach(ConnectionId::close); // the client sent more than it announced
        }
    }

    /// From now on requests from that address belong to a client that is already connected. Waits while another client
    /// of the same address connects its queue pairs.
    Expected expect(InetAddress client, Duration limit) {
        var requests = new Expected(client);
        long start = System.nanoTime();
        while (expected.putIfAbsent(client, requests) != null) {
            ProgramException.require(
                    System.nanoTime() - start < limit.toNanos(),
                    "another client of the same host has not connected its queue pairs within " + limit.toSeconds()
                            + " s; --timeout sets how long to wait");
            try {
                Thread.sleep(CHECK_INTERVAL);
            } catch (InterruptedException e) {
                throw Result.interrupt("wait for a client");
            }
        }
        return requests;
    }

    /// Takes the request if its client is expected; false when it is that of a new client.
    boolean take(ConnectionId request) {
        // in one step: what is added after the client was closed, nobody would close
        return expected.computeIfPresent(request.peerAddress().getAddress(), (_, client) -> {
                    client.requests.add(request);
                    return client;
                })
                != null;
    }
}
