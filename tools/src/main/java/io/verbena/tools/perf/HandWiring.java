package io.verbena.tools.perf;

import io.verbena.tools.program.ProgramException;
import io.verbena.verbs.AddressHandle;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.attr.QueuePairType;
import java.util.List;

/// Connects queue pairs without the connection manager: `modify` for every state, with the numbers in the peer's key
/// lines.
final class HandWiring implements Wiring {
    static final int MIN_RNR_TIMER = 12; // 0.64 ms

    private static final int RNR_FOR_EVER = 7;
    private static final int QKEY = 0x11111111;

    @Override
    public void create(PerfEndpoint endpoint, Handshake handshake) {
        PerfParameters parameters = endpoint.parameters();
        for (int i = 0; i < parameters.queuePairs(); i++) {
            QueuePair qp = endpoint.createQueuePair();
            qp.modify((parameters.transport() == QueuePairType.UD
                            ? QueuePairChange.toInit(QKEY)
                            : QueuePairChange.toInit().access(PerfEndpoint.remoteAccess(parameters)))
                    .port(endpoint.port().number()));
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
        AddressHandle handle = null;
        switch (parameters.transport()) {
            case RC -> {
                qp.modify(QueuePairChange.toRtr(port.to(peer), peer.queuePair(), peer.packetSequence())
                        .pathMtu(endpoint.mtu())
                        .maxDestinationReadAtomic(own.outstandingReads())
                        .minRnrTimer(MIN_RNR_TIMER));
                qp.modify(QueuePairChange.toRts(own.packetSequence())
                        .timeout(parameters.ackTimeout())
                        .retryCount(parameters.retryCount())
                        .rnrRetry(RNR_FOR_EVER)
                        .maxReadAtomic(Math.min(peer.outstandingReads(), parameters.outstandingReads())));
            }
            case UC -> {
                qp.modify(QueuePairChange.toRtrUnreliable(port.to(peer), peer.queuePair(), peer.packetSequence())
                        .pathMtu(endpoint.mtu()));
                qp.modify(QueuePairChange.toRtsUnreliable(own.packetSequence()));
            }
            case UD -> {
                qp.modify(QueuePairChange.toRtr());
                qp.modify(QueuePairChange.toRtsUnreliable(own.packetSequence()));
                handle = endpoint.createAddressHandle(peer);
            }
        }
        measured.peer(peer, handle, QKEY);
    }
}
