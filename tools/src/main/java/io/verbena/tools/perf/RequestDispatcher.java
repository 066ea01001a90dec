package io.verbena.tools.perf;

import io.verbena.tools.program.ProgramException;
import io.verbena.verbs.cm.ConnectionId;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;

/// Dispatches the connection requests that arrive at the one port of a server with `-R`: those of new clients, and
/// those of the queue pairs of a client that is already connected. The two are told apart by the client's address.
final class RequestDispatcher {
    private final Map<InetAddress, Expected> expected = new HashMap<>();

    /// The requests of one client's queue pairs, until it is closed.
    final class Expected implements AutoCloseable {
        private final InetAddress client;
        private final Queue<ConnectionId> requests = new ArrayDeque<>();

        private Expected(InetAddress client) {
            this.client = client;
        }

        /// The next request; null when none arrived within `limit`. The caller closes it.
        ConnectionId next(Duration limit) {
            synchronized (RequestDispatcher.this) {
                long start = System.nanoTime();
                while (requests.isEmpty()) {
                    if (!await(start, limit)) {
                        return null;
                    }
                }
                return requests.poll();
            }
        }

        @Override
        public void close() {
            synchronized (RequestDispatcher.this) {
                expected.remove(client);
                requests.forEach(ConnectionId::close); // the client sent more than it announced
                RequestDispatcher.this.notifyAll();
            }
        }
    }

    /// From now on requests from that address belong to a client that is already connected. Waits while another client
    /// of the same address connects its queue pairs.
    synchronized Expected expect(InetAddress client, Duration limit) {
        long start = System.nanoTime();
        while (expected.containsKey(client)) {
            if (!await(start, limit)) {
                throw new ProgramException("another client of the same host has not connected its queue pairs within "
                        + limit.toSeconds() + " s; --timeout sets how long to wait");
            }
        }
        var requests = new Expected(client);
        expected.put(client, requests);
        return requests;
    }

    /// Takes the request if its client is expected; false when it is that of a new client.
    synchronized boolean take(ConnectionId request) {
        Expected requests = expected.get(request.peerAddress().getAddress());
        if (requests == null) {
            return false;
        }
        requests.requests.add(request);
        notifyAll();
        return true;
    }

    private boolean await(long start, Duration limit) {
        long leftMs = limit.toMillis() - (System.nanoTime() - start) / 1_000_000;
        if (leftMs <= 0) {
            return false;
        }
        try {
            wait(leftMs);
            return true;
        } catch (InterruptedException e) {
            throw new StoppedException();
        }
    }
}
