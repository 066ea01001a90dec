package io.verbena.soft.qp;

/// What the types that nobody answers have in common: a send is done when it has left, so only the network and the
/// engine's turns hold sending back, and there is nothing to wait for or to settle.
abstract class UnacknowledgedService extends TransportService {
    private boolean moreToEmit;

    UnacknowledgedService(SoftQueuePair qp, SendQueue sends, ReceiveInHand receive, boolean signalsAll) {
        super(qp, sends, receive, signalsAll);
    }

    /// Whether there is a packet that may leave.
    abstract boolean canEmit();

    /// Sends it; false when the network takes nothing now, or the request failed.
    abstract boolean emitOne();

    /// Addresses, rights and keys are looked at with each packet.
    @Override
    final void takeDrainedSettings() {}

    /// Nobody is owed an answer.
    @Override
    final void finishReceiving() {}

    @Override
    void stop() {
        moreToEmit = false;
    }

    @Override
    final int emitPackets(long nowNs, int budget) {
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
