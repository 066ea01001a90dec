package io.verbena.soft.qp;

import io.verbena.soft.engine.Counter;
import io.verbena.soft.engine.PacketView;
import io.verbena.soft.event.SoftEvents;
import io.verbena.soft.local.LanePair;
import io.verbena.soft.local.LocalDevice;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.QueuePairState;

/// A queue pair of type RC. It chooses its path when it gets a peer, and keeps it until it is reset. Only one change is
/// possible: from an unused local path to the network, when the peer turns out to take the network.
final class ReliableConnection extends TransportService {
    private final KeyOperations keyOperations;
    private final PacketPath packets;
    /// Created when first needed.
    private LocalPath localPath;

    private TransportPath path;
    /// The local path while it is in use, for posters.
    private volatile LocalPath inUse;

    ReliableConnection(SoftQueuePair qp, SendQueue sends, CurrentReceive receive, boolean signalsAll) {
        super(qp, sends, receive, signalsAll);
        this.keyOperations = new KeyOperations(this);
        this.packets = new PacketPath(this);
        this.path = packets;
    }

    KeyOperations keyOperations() {
        return keyOperations;
    }

    Completer completer() {
        return packets.completer();
    }

    @Override
    TransportPath path() {
        return path;
    }

    @Override
    LocalPath localPath() {
        return inUse;
    }

    @Override
    void reset() {
        settings.livenessNs = 0;
        packets.startSending();
        if (engine.local() != null) {
            engine.local().clearPath(qp.number());
        }
    }

    @Override
    void leavePath() {
        path = packets;
        inUse = null;
    }

    @Override
    void choosePath() {
        LocalDevice device = engine.local();
        String refusal = null;
        if (device == null) {
            refusal = qp.protectionDomain().context().device().sharedMemory().toString();
        } else if (!qp.mayUseLocalPath()) {
            device.requireNetwork(qp.number());
            device = null;
            refusal = "its completion queues belong to different shards";
        }
        LanePair lanes = device == null
                ? null
                : device.connect(
                        qp.number(),
                        new Gid(settings.peerHigh, settings.peerLow),
                        settings.destinationQp,
                        settings.receivePsn,
                        qp.receiveCq()::slot);
        if (lanes == null) {
            leavePath();
            SoftEvents.pathChosen(this, device == null ? refusal : device.refusal());
            return;
        }
        if (localPath == null) {
            localPath = new LocalPath(this);
        }
        localPath.lanes(lanes);
        path = localPath;
        inUse = localPath;
        SoftEvents.pathChosen(this, "the peer is a software device of this host and user");
    }

    /// The peer takes the network, so this side does, too. The local path is unused so far.
    void fallBack() {
        path.stop();
        engine.local().publishNetworkPath(qp.number());
        leavePath();
        SoftEvents.pathChosen(this, "the peer goes over UDP");
        packets.startReceiving();
        if (state() == QueuePairState.RTS || state() == QueuePairState.SQD) {
            packets.startSending();
            activate();
        }
        countNetworkUse();
    }

    @Override
    public Counter admits(PacketView packet, long sourceHigh, long sourceLow) {
        return path.admits(packet, sourceHigh, sourceLow);
    }

    @Override
    public void onPacket(PacketView packet, long nowNs) {
        path.onPacket(packet, nowNs);
    }

    @Override
    public boolean hasMoreToEmit() {
        return path.hasMoreToEmit();
    }

    @Override
    public boolean sendAcknowledgement(long nowNs, boolean atOnce) {
        return path.sendAcknowledgement(nowNs, atOnce);
    }
}
