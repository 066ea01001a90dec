package io.verbena.tools.perf;

import io.verbena.tools.program.ProgramException;
import io.verbena.tools.program.QueuePairSteps;
import io.verbena.verbs.AddressHandle;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.attr.QueuePairType;
import java.util.List;

/// Connects queue pairs without the connection manager: `modify` for every state, with the numbers in the peer's key
/// lines.
final class HandWiring implements Wiring {
    @Override
    public void create(PerfEndpoint endpoint, Handshake handshake) {
        PerfParameters parameters = endpoint.parameters();
        for (int i = 0; i < parameters.queuePairs(); i++) {
            QueuePair qp = endpoint.createQueuePair();
            QueuePairSteps.toInit(qp, endpoint.port().number(), PerfEndpoint.remoteAccess(parameters));
            endpoint.add(qp);
        }
    }

    @Override
    public void connect(PerfEndpoint endpoint, List<KeyLine> peers) {
        KeyLine first = peers.getFirst();
        PerfPort port = endpoint.port();
        if (port.gid() != null && first.gid().isIpv4() != port.gid().gid().isIpv4()) {
            throw new ProgramException("one side uses IPv4, the other IPv6: the GIDs are "
                    + port.gid().gid() + " here, " + first.gid()
                    + " there; choose others with -x or by the address of HOST");
        }
        for (int i = 0; i < peers.size(); i++) {
            connect(endpoint, i, peers.get(i));
        }
    }

    private static void connect(PerfEndpoint endpoint, int index, KeyLine peer) {
        PerfParameters parameters = endpoint.parameters();
        MeasuredQueuePair measured = endpoint.queuePairs().get(index);
        KeyLine own = endpoint.keyLines().get(index);
        PerfPort port = endpoint.port();
        QueuePair qp = measured.queuePair();
        QueuePairSteps.toReadyToReceive(
                qp, port.to(peer), peer.queuePair(), peer.packetSequence(), endpoint.mtu(), own.outstandingReads());
        QueuePairSteps.toReadyToSend(
                qp,
                own.packetSequence(),
                parameters.ackTimeout(),
                parameters.retryCount(),
                Math.min(peer.outstandingReads(), parameters.outstandingReads()));
        AddressHandle handle = qp.type() == QueuePairType.UD ? endpoint.createAddressHandle(peer) : null;
        measured.peer(peer, handle, QueuePairSteps.QUEUE_KEY);
    }
}
