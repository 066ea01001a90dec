package io.verbena.soft.qp;

import io.verbena.roce.packet.Transport;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.engine.PacketView;
import io.verbena.soft.shm.Inbox;
import io.verbena.soft.shm.Lane;
import io.verbena.soft.shm.SharedLink;
import io.verbena.soft.shm.Sharing;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.Operation;
import io.verbena.verbs.attr.QueuePairState;

/// A queue pair of type RC: the three roles that carry it.
final class ReliableConnection extends TransportService {
    private static final int NEED_RESOURCES = Access.bits(Access.REMOTE_READ, Access.REMOTE_ATOMIC);

    private final Requester requester;
    private final Completer completer;
    private final Responder responder;
    private final LocalOperations local;
    private final ShortSends shortSends;
    private final ShortReceives shortReceives;
    private final DirectCopies directCopies;
    private boolean moreToEmit;
    /// The way through memory shared with the peer; null when packets go over the network.
    private volatile SharedLink link;

    ReliableConnection(SoftQueuePair qp, SendQueue sends, ReceiveInHand receive, boolean signalsAll) {
        super(qp, sends, receive, signalsAll);
        this.local = new LocalOperations(this);
        this.requester = new Requester(this);
        this.completer = new Completer(this, requester);
        this.responder = new Responder(this);
        this.shortSends = new ShortSends(this, requester);
        this.directCopies = new DirectCopies(this, requester);
        this.shortReceives = new ShortReceives(this, responder);
    }

    LocalOperations local() {
        return local;
    }

    Completer completer() {
        return completer;
    }

    @Override
    boolean supports(Operation operation) {
        return RcOpcodes.supports(operation) || LocalOperations.contains(operation);
    }

    @Override
    boolean isShared() {
        return link != null;
    }

    /// The way that this side's packets take through shared memory.
    Lane lane() {
        return link.lane();
    }

    @Override
    void reset() {
        closeLink();
        requester.reset();
        responder.drop();
    }

    @Override
    void startReceiving() {
        openLink();
        responder.reset();
    }

    private void openLink() {
        closeLink();
        Sharing sharing = engine.sharing();
        link = sharing == null
                ? null
                : sharing.connect(
                        qp.number(), settings.peerHigh, settings.peerLow, settings.destinationQp, settings.receivePsn);
        if (link != null) {
            settings.leaveNetwork(Lane.MTU);
            outlet = link.lane();
            engine.inboxes().add(qp, link);
        }
    }

    private void closeLink() {
        SharedLink old = link;
        if (old != null) {
            link = null;
            outlet = engine.transmitter();
            old.tell(false, 0, 0);
            engine.inboxes().remove(old);
        }
    }

    /// What the peer may do by itself. In RTR it must not: this side's program is to hear of its first request.
    @Override
    void onChanged() {
        if (link != null) {
            boolean accepting = state() == QueuePairState.RTS || state() == QueuePairState.SQD;
            int denied = settings.maxDestinationReadAtomic == 0 ? NEED_RESOURCES : 0;
            link.tell(
                    accepting, settings.access & ~denied, qp.protectionDomain().id());
        }
    }

    @Override
    public Counter admitsShared(PacketView packet) {
        return admits(packet, settings.peerHigh, settings.peerLow);
    }

    @Override
    public boolean carryOutAtOnce(SoftSendRequest request, long nowNs) {
        SharedLink way = link;
        if (way == null) {
            return false;
        }
        if (request.operation != Operation.SEND) {
            return directCopies.covers(request) && directCopies.carryOut(request, way.lane());
        }
        if (!shortSends.covers(request) || !shortSends.send(request, way.lane(), nowNs)) {
            return false;
        }
        int carried = way.inbox().takeCarried();
        if (carried >= 0) {
            completer.onSharedAcknowledge(carried, nowNs);
        }
        return true;
    }

    @Override
    public boolean receiveShort(Inbox inbox) {
        return shortReceives.take(inbox, link.lane());
    }

    /// Whether the peer's requests are served.
    boolean isReceiving() {
        QueuePairState now = state();
        return now == QueuePairState.RTS || now == QueuePairState.RTR || now == QueuePairState.SQD;
    }

    /// Tells the peer which short messages were taken, if it does not know.
    void settleShort() {
        SharedLink way = link;
        if (way != null && way.lane().owes()) {
            way.lane().settle();
            engine.counters().increment(Counter.ACKS_SENT);
        }
    }

    @Override
    public void onSharedAcknowledge(int psn, long nowNs) {
        completer.onSharedAcknowledge(psn, nowNs);
    }

    @Override
    public void onPeerGone(long nowNs) {
        completer.onPeerGone();
    }

    @Override
    public void onPeerBroken() {
        completer.giveUp();
    }

    /// Whether nothing can leave because the peer takes nothing out of its inbox.
    boolean isStuck() {
        return link != null && outlet.isRefused();
    }

    @Override
    void startSending() {
        if (link != null) {
            link.lane().firstPsn(settings.sendPsn);
        }
        requester.reset();
        completer.reset();
    }

    @Override
    void takeDrainedSettings() {
        requester.takeReadLimit();
    }

    @Override
    void settle() {
        if (link != null) {
            engine.inboxes().drain(link, qp);
        }
        responder.sendAcknowledgement();
    }

    @Override
    void stop() {
        requester.stopTimers();
        responder.drop();
        closeLink();
    }

    @Override
    boolean isDrained() {
        return requester.isDrained();
    }

    @Override
    int receivePsn() {
        return responder.expectedPsn();
    }

    @Override
    int sendPsn() {
        return requester.sentEndPsn();
    }

    @Override
    public Counter admits(PacketView packet, long sourceHigh, long sourceLow) {
        if (packet.opcode().transport() != Transport.RC) {
            return Counter.DROPPED_WRONG_TRANSPORT;
        }
        QueuePairState now = state();
        boolean canSend = now == QueuePairState.RTS || now == QueuePairState.SQD;
        boolean ready = packet.opcode().isRequest() ? canSend || now == QueuePairState.RTR : canSend;
        if (!ready) {
            return Counter.DROPPED_WRONG_STATE;
        }
        return sourceLow == settings.peerLow && sourceHigh == settings.peerHigh ? null : Counter.DROPPED_WRONG_ADDRESS;
    }

    @Override
    public void onPacket(PacketView packet, long nowNs) {
        if (packet.opcode().isRequest()) {
            onRequest();
            responder.onRequest(packet, nowNs);
        } else {
            completer.onResponse(packet, nowNs);
        }
    }

    @Override
    int emitPackets(long nowNs, int budget) {
        int responses = responder.emit(budget);
        int requests = requester.emit(budget);
        moreToEmit = responses == budget || requests == budget || outlet.isRefused();
        return responses + requests;
    }

    @Override
    public boolean hasMoreToEmit() {
        return moreToEmit && (responder.canEmit() || requester.canEmit());
    }

    @Override
    public boolean sendAcknowledgement(long nowNs, boolean atOnce) {
        return atOnce ? responder.sendAcknowledgement() : responder.sendAcknowledgementInTime(nowNs);
    }
}
