package io.verbena.tools.perf;

import io.verbena.tools.program.ConnectFailure;
import io.verbena.tools.program.ProgramException;
import io.verbena.tools.program.Result;
import io.verbena.tools.program.ServerCommand;
import io.verbena.verbs.AddressHandle;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.DatagramPeer;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// The client's wiring for `-R`: connects every queue pair to the server's port.
final class ClientWiring extends ManagedWiring {
    /// A C server listens for these connections only after the barrier, so the first request may come too early.
    private static final Duration UNTIL_LISTENS = Duration.ofSeconds(5);

    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int NUMBER_BYTES = 4;

    private final ConnectionManager cm;
    private final InetSocketAddress source;
    private final InetSocketAddress server;

    /// @param source where to connect from, or null
    /// @param step how long each step of a connection may take
    ClientWiring(ConnectionManager cm, InetSocketAddress source, InetSocketAddress server, Duration step) {
        super(step);
        this.cm = cm;
        this.source = source;
        this.server = server;
    }

    @Override
    public void create(PerfEndpoint endpoint, Handshake handshake) {
        handshake.barrier();
        for (int i = 0; i < endpoint.parameters().queuePairs(); i++) {
            add(connect(endpoint));
        }
        handshake.barrier();
    }

    private ConnectionId connect(PerfEndpoint endpoint) {
        long start = System.nanoTime();
        while (true) {
            ConnectionId id = cm.createEndpoint(space(endpoint.parameters()), source, server, step);
            boolean connected = false;
            try {
                connect(endpoint, id);
                connected = true;
                return id;
            } catch (RdmaException e) {
                if (!isRefused(id.event()) || System.nanoTime() - start > UNTIL_LISTENS.toNanos()) {
                    throw ConnectFailure.of(
                            ServerCommand.of("verbena perf -R", server, PerfCommand.USUAL_PORT), server, id.event(), e);
                }
                LockSupport.parkNanos(PAUSE_NS);
            } finally {
                if (!connected) {
                    id.close();
                }
            }
            if (Thread.interrupted()) {
                throw Result.interrupt("connect");
            }
        }
    }

    private static boolean isRefused(CmEvent last) {
        return last != null && (last.type() == CmEventType.REJECTED || last.type() == CmEventType.UNREACHABLE);
    }

    private void connect(PerfEndpoint endpoint, ConnectionId id) {
        PerfParameters parameters = endpoint.parameters();
        prepare(id, parameters);
        QueuePair qp = endpoint.createQueuePair(id);
        try {
            id.connect(parameters(parameters));
        } catch (RdmaException e) {
            qp.close();
            throw e;
        }
        setRnrTimer(qp, parameters);
        // no message arrives before both sides have passed the next barrier
        endpoint.add(qp);
        if (isServerSending(parameters)) {
            sendOwnNumber(endpoint, qp, id.event().datagram());
        }
    }

    /// Sends a datagram with the number of this side's queue pair to a server that also sends.
    private void sendOwnNumber(PerfEndpoint endpoint, QueuePair qp, DatagramPeer peer) {
        try (AddressHandle handle = endpoint.buffer().protectionDomain().createAddressHandle(peer.address())) {
            SendRequest number = qp.newSendRequest()
                    .sendWithImmediate(qp.number())
                    .from(endpoint.buffer(), 0, NUMBER_BYTES)
                    .to(handle, peer.qpNumber(), peer.qkey())
                    .signaled();
            if (!qp.post(number) || endpoint.sendCq().poll(requireSuccess("our"), 1, step) == 0) {
                throw new ProgramException("the datagram with the number of our queue pair cannot be sent");
            }
        }
    }
}
