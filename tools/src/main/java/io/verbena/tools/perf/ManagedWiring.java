package io.verbena.tools.perf;

import io.verbena.tools.program.Goodbye;
import io.verbena.tools.program.ProgramException;
import io.verbena.tools.program.QueuePairSteps;
import io.verbena.verbs.AddressHandle;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.WorkCompletionHandler;
import io.verbena.verbs.attr.QueuePairType;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionOption;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.PortSpace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Wiring by the connection manager (`-R`): the part that client and server share. Each queue pair has an id of its
/// own.
abstract class ManagedWiring implements Wiring {
    /// Queue key of all datagram queue pairs of the connection manager (`RDMA_UDP_QKEY`).
    static final int DATAGRAM_KEY = 0x01234567;

    private static final int RNR_FOR_EVER = 7;

    /// How long each step of a connection may take.
    final Duration step;

    private final List<ConnectionId> ids = new ArrayList<>();

    ManagedWiring(Duration step) {
        this.step = step;
    }

    static PortSpace space(PerfParameters parameters) {
        return isDatagram(parameters) ? PortSpace.UDP : PortSpace.TCP;
    }

    static boolean isDatagram(PerfParameters parameters) {
        return parameters.transport() == QueuePairType.UD;
    }

    /// Whether the server of a datagram test also sends. The connection manager does not give it the number of the
    /// client's queue pair: the client's first datagram does.
    static boolean isServerSending(PerfParameters parameters) {
        return isDatagram(parameters) && (parameters.test().isLatency() || parameters.bidirectional());
    }

    final void prepare(ConnectionId id, PerfParameters parameters) {
        id.timeout(step);
        if (!isDatagram(parameters)) {
            id.option(ConnectionOption.ACK_TIMEOUT, parameters.ackTimeout());
        }
    }

    /// The connection manager sets the longest RNR timer, 0.66 s: set that of perftest.
    static void setRnrTimer(QueuePair qp, PerfParameters parameters) {
        if (!isDatagram(parameters)) {
            qp.modify(QueuePairChange.attributes().minRnrTimer(QueuePairSteps.MIN_RNR_TIMER));
        }
    }

    /// Of the datagram with the number of a queue pair.
    ///
    /// @param whose queue pair it is
    static WorkCompletionHandler requireSuccess(String whose) {
        return completion -> ProgramException.require(
                completion.isSuccess(),
                "the datagram with the number of " + whose + " queue pair failed: "
                        + completion.status().explain());
    }

    static ConnectionParameters parameters(PerfParameters parameters) {
        int reads = parameters.test().verb().isFetch() ? parameters.outstandingReads() : 0;
        return ConnectionParameters.DEFAULT.withReads(reads, reads).withRetries(parameters.retryCount(), RNR_FOR_EVER);
    }

    /// The parameters of an accept: no more READs in flight than the client asks for.
    static ConnectionParameters parameters(PerfParameters parameters, CmEvent request) {
        ConnectionParameters own = parameters(parameters);
        ConnectionParameters theirs = request.parameters();
        return own.withReads(
                Math.min(own.responderResources(), theirs.responderResources()),
                Math.min(own.initiatorDepth(), theirs.initiatorDepth()));
    }

    final void add(ConnectionId id) {
        ids.add(id);
    }

    /// Takes the peer's keys. The queue pairs are connected already; datagrams also need an address handle for each.
    @Override
    public final void connect(PerfEndpoint endpoint, List<KeyLine> peers) {
        for (int i = 0; i < peers.size(); i++) {
            KeyLine peer = peers.get(i);
            AddressHandle handle = isDatagram(endpoint.parameters()) ? endpoint.createAddressHandle(peer) : null;
            endpoint.queuePairs().get(i).peer(peer, handle, DATAGRAM_KEY);
        }
    }

    @Override
    public final boolean isManaged() {
        return true;
    }

    /// A C client ends only when each of its connections is disconnected.
    @Override
    public final void disconnect() {
        for (ConnectionId id : ids) {
            if (id.portSpace() == PortSpace.TCP) {
                Goodbye.disconnect(id);
            }
        }
    }

    @Override
    public final void close() {
        ids.reversed().forEach(ConnectionId::close);
        ids.clear();
    }
}
