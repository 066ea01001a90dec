package io.verbena.tools.perf;

import io.verbena.tools.program.ProgramException;
import io.verbena.tools.program.ProgramServer;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Function;

/// The server's wiring for `-R`: accepts the queue pairs of a client.
final class ServerWiring extends ManagedWiring {
    private final ConnectionManager cm;
    private final RequestDispatcher dispatcher;
    private final InetSocketAddress local;
    private final InetAddress client;

    /// @param local the address and port that the client's first connection came to
    /// @param step how long each step of a connection may take
    ServerWiring(
            ConnectionManager cm,
            RequestDispatcher dispatcher,
            InetSocketAddress local,
            InetAddress client,
            Duration step) {
        super(step);
        this.cm = cm;
        this.dispatcher = dispatcher;
        this.local = local;
        this.client = client;
    }

    @Override
    public void create(PerfEndpoint endpoint, Handshake handshake) {
        if (isDatagram(endpoint.parameters())) {
            // the UDP port space is separate, so this port is free there
            try (ConnectionId listener = cm.createSynchronousId(PortSpace.UDP)) {
                ProgramServer.listen(listener, local);
                accept(endpoint, handshake, listener::awaitRequest);
            }
        } else {
            try (var expected = dispatcher.expect(client, step)) {
                accept(endpoint, handshake, expected::next);
            }
        }
        handshake.barrier();
    }

    private void accept(PerfEndpoint endpoint, Handshake handshake, Function<Duration, ConnectionId> requests) {
        handshake.barrier(); // lets the client on
        int count = endpoint.parameters().queuePairs();
        for (int i = 0; i < count; i++) {
            ConnectionId request = requests.apply(step);
            if (request == null) {
                throw new ProgramException("of " + count + " queue pairs (-q) the client connected " + i + " within "
                        + step.toSeconds() + " s; are test and options equal on both sides?");
            }
            add(request);
            accept(endpoint, request);
        }
    }

    private void accept(PerfEndpoint endpoint, ConnectionId request) {
        PerfParameters parameters = endpoint.parameters();
        prepare(request, parameters);
        QueuePair qp = endpoint.createQueuePair(request);
        endpoint.add(qp);
        request.accept(parameters(parameters, request.event()));
        setRnrTimer(qp, parameters);
        if (isServerSending(parameters)) {
            awaitNumber(endpoint);
        }
    }

    /// The client's first datagram brings the number of its queue pair. The key line repeats it, so its content is
    /// ignored.
    private void awaitNumber(PerfEndpoint endpoint) {
        if (endpoint.receiveCq().poll(requireSuccess("the client's"), 1, step) == 0) {
            throw new ProgramException("no datagram with the number of the client's queue pair within "
                    + step.toSeconds() + " s: it was lost, or the client's test or options differ");
        }
        endpoint.queuePairs().getLast().postReceive();
    }
}
