package io.verbena.soft.qp;

import io.verbena.soft.status.ConnectionPath;
import io.verbena.soft.status.ConnectionStatus;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.attr.QueuePairType;

/// Reads the numbers of a queue pair while its owners change them, without a lock.
final class QueuePairSample {
    private QueuePairSample() {}

    static ConnectionStatus of(SoftQueuePair qp, int localPort, int peerPort, long nowNs) {
        TransportService service = qp.service();
        QueuePairState state = service.state();
        boolean hasPeer =
                qp.type() != QueuePairType.UD && state != QueuePairState.RESET && state != QueuePairState.INIT;
        LocalPath local = service.localPath();
        TransportPath path = service.path();
        boolean hasPackets = hasPeer && local == null && state != QueuePairState.ERR;
        SendQueue sends = service.sends;
        ReceiveQueue receives = qp.receives();
        QueuePairSettings settings = service.settings;
        TroubleCounters troubles = service.troubles;
        return new ConnectionStatus(
                qp.number(),
                qp.engine().numbers().shard(),
                qp.type(),
                state,
                local != null ? ConnectionPath.SHARED_MEMORY : hasPackets ? ConnectionPath.UDP : ConnectionPath.NONE,
                hasPeer ? new Gid(settings.peerHigh, settings.peerLow) : new Gid(0, 0),
                hasPeer ? settings.destinationQp : 0,
                localPort,
                peerPort,
                sends.capacity(),
                sends.seemsWaiting(),
                receives.capacity(),
                receives.seemsWaiting(),
                qp.sharesReceives(),
                path.isReceiverNotReady(),
                sends.retired(),
                local != null ? local.messages() : sends.retired(),
                qp.sharesReceives() ? -1 : receives.retired(),
                hasPackets ? path.sendPsn() : ConnectionStatus.NO_PSN,
                hasPackets ? path.receivePsn() : ConnectionStatus.NO_PSN,
                troubles.retransmissions(),
                troubles.timeouts(),
                troubles.rnrReceived(),
                troubles.rnrSent(),
                Math.max(0, nowNs - service.sinceNs()),
                sends.lastBytes());
    }
}
