package io.verbena.soft.qp;

import io.verbena.soft.engine.Counter;
import io.verbena.soft.engine.PacketView;
import io.verbena.soft.local.LocalDevice;
import io.verbena.soft.local.LocalLink;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.Operation;
import io.verbena.verbs.attr.QueuePairState;

/// A queue pair of type RC. It decides for one of its paths when it gets a peer, and has that one until it is reset;
/// only a local path whose peer turns out to go over the network is given up before anything happened on it.
final class ReliableConnection extends TransportService {
    private final LocalOperations local;
    private final PacketPath packets;
    /// Made when it is first needed.
    private LocalPath localPath;

    private ReliablePath path;
    /// The local path while it is in use, for posters.
    private volatile LocalPath inUse;

    ReliableConnection(SoftQueuePair qp, SendQueue sends, ReceiveInHand receive, boolean signalsAll) {
        super(qp, sends, receive, signalsAll);
        this.local = new LocalOperations(this);
        this.packets = new PacketPath(this);
        this.path = packets;
    }

    LocalOperations local() {
        return local;
    }

    Completer completer() {
        return packets.completer();
    }

    @Override
    boolean supports(Operation operation) {
        return RcOpcodes.supports(operation) || LocalOperations.contains(operation);
    }

    @Override
    boolean isLocal() {
        return inUse != null;
    }

    @Override
    LocalPath localPath() {
        return inUse;
    }

    @Override
    void reset() {
        packets.startSending();
        if (engine.local() != null) {
            engine.local().undecide(qp.number());
        }
    }

    private void takePackets() {
        path = packets;
        inUse = null;
    }

    @Override
    void startReceiving() {
        LocalDevice device = engine.local();
        LocalLink link = device == null
                ? null
                : device.connect(
                        qp.number(),
                        new Gid(settings.peerHigh, settings.peerLow),
                        settings.destinationQp,
                        settings.receivePsn,
                        qp.receiveCq()::slot);
        if (link == null) {
            takePackets();
        } else {
            if (localPath == null) {
                localPath = new LocalPath(this);
            }
            localPath.link(link);
            path = localPath;
            inUse = localPath;
        }
        path.startReceiving();
    }

    /// The peer goes over the network, so this side does, too. Nothing has happened on the local path.
    void fallBack() {
        path.stop();
        engine.local().decideForNetwork(qp.number());
        takePackets();
        packets.startReceiving();
        if (state() == QueuePairState.RTS || state() == QueuePairState.SQD) {
            packets.startSending();
            activate();
        }
        countNetworkUse();
    }

    @Override
    void startSending() {
        path.startSending();
    }

    @Override
    void takeDrainedSettings() {
        path.takeDrainedSettings();
    }

    @Override
    void onChanged() {
        path.onChanged();
    }

    @Override
    void finishReceiving() {
        path.finishReceiving();
    }

    @Override
    void stop() {
        path.stop();
        takePackets();
    }

    @Override
    boolean isDrained() {
        return path.isDrained();
    }

    @Override
    int receivePsn() {
        return path.receivePsn();
    }

    @Override
    int sendPsn() {
        return path.sendPsn();
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
    int emitPackets(long nowNs, int budget) {
        return path.emit(nowNs, budget);
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
