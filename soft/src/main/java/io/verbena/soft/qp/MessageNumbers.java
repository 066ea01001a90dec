package io.verbena.soft.qp;

import io.verbena.roce.packet.Psn;

/// Checks whether the message number (MSN) of an acknowledgement can be the peer's. A responder counts the messages
/// that it completed, from 0 on, and sends the count with every acknowledgement and NAK. So the number lies between the
/// newest one received and the number of messages sent. An attacker who forges acknowledgements must guess it together
/// with the PSN, of which as many fit as packets are in flight. Owned by the engine.
///
/// A peer may count differently: devices ignore these numbers, so it may count fewer messages, or none, or from another
/// start. The check applies only to a peer that was seen to count correctly, until a timeout shows that nothing fits
/// any more. From then on the number is not checked again.
final class MessageNumbers {
    /// A peer that acknowledges and yet stays this far behind does not count all messages. From half the range of
    /// numbers on, behind would look like ahead.
    private static final int MOST_AHEAD = 1 << 22;

    private int sent;
    private int heard;
    /// Whether the peer was seen to count correctly.
    private boolean counts;
    /// Whether the peer was seen to count differently. Numbers that fit by chance do not disprove that.
    private boolean isOdd;

    void reset() {
        sent = 0;
        heard = 0;
        counts = false;
        isOdd = false;
    }

    /// The last packet of a message was sent for the first time.
    void onMessageSent() {
        sent = Psn.next(sent);
        if (Psn.distance(sent, heard) > MOST_AHEAD) {
            onOddPeer();
        }
    }

    private void onOddPeer() {
        isOdd = true;
        counts = false;
    }

    void onTimeout() {
        counts = false;
    }

    /// @param isOfAll whether all messages sent are acknowledged; the number is then the peer's count of them
    boolean admit(int msn, boolean isOfAll) {
        if (Psn.distance(msn, heard) < 0 || Psn.isAfter(msn, sent)) {
            return !counts && adopt(msn, isOfAll);
        }
        counts |= !isOdd && msn != heard;
        heard = msn;
        return true;
    }

    private boolean adopt(int msn, boolean isOfAll) {
        onOddPeer();
        if (isOfAll) {
            sent = msn;
            heard = msn;
        }
        return true;
    }
}
