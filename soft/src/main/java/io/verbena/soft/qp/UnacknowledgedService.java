package io.verbena.soft.qp;

/// The common part of UC and UD, which have no acknowledgements. A send is complete when it was sent, so only a full
/// socket and the engine's budget hold sending back. Settings are read for each packet.
abstract class UnacknowledgedService extends TransportService implements TransportPath {
    private boolean moreToEmit;

    UnacknowledgedService(SoftQueuePair qp, SendQueue sends, CurrentReceive receive, boolean signalsAll) {
        super(qp, sends, receive, signalsAll);
    }

    /// Whether there is a packet to send.
    abstract boolean canEmit();

    /// Sends one packet. False when the socket is full, or the request failed.
    abstract boolean emitOne();

    @Override
    final TransportPath path() {
        return this;
    }

    @Override
    public void stop() {
        moreToEmit = false;
    }

    @Override
    public final int emitPackets(long nowNs, int budget) {
        int emitted = 0;
        while (emitted < budget && canEmit() && emitOne()) {
            emitted++;
        }
        moreToEmit = emitted == budget || engine.transmitter().isRefused();
        return emitted;
    }

    @Override
    public final boolean hasMoreToEmit() {
        return moreToEmit && canEmit();
    }

    @Override
    public final boolean sendAcknowledgement(long nowNs, boolean atOnce) {
        return true;
    }
}
