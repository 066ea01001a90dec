package io.verbena.soft.cm;

import io.verbena.roce.dump.GidText;
import io.verbena.roce.mad.CmMessage;
import io.verbena.roce.mad.CmTimeout;
import io.verbena.soft.engine.Timer;

/// Sends the messages of one connection, and retransmits the one that waits for an answer. Its timer is the only one of
/// a connection: when no message waits, it serves as an alarm.
final class MessageSender extends Timer {
    private final CmPort port;
    private final Runnable onNoAnswer;
    private final Runnable onAlarm;
    private final Retransmission retransmission = new Retransmission();
    private CmMessage unanswered;
    private long peerHigh;
    private long peerLow;

    MessageSender(CmPort port, Runnable onNoAnswer, Runnable onAlarm) {
        this.port = port;
        this.onNoAnswer = onNoAnswer;
        this.onAlarm = onAlarm;
    }

    /// Where the messages go.
    void to(long high, long low) {
        peerHigh = high;
        peerLow = low;
    }

    /// A verb with the peer's address, as far as it is known, for messages to people.
    String verb(String verb) {
        return (peerHigh | peerLow) == 0 ? verb : verb + " " + GidText.of(peerHigh, peerLow);
    }

    void send(CmMessage message) {
        port.send(message, peerHigh, peerLow);
    }

    void sendUntilAnswered(CmMessage message, long timeoutNs) {
        unanswered = message;
        send(message);
        port.timers().arm(this, retransmission.start(port.nowNs(), timeoutNs));
    }

    /// The time that is left to wait for the answer.
    long leftNs() {
        return retransmission.leftNs(port.nowNs());
    }

    /// The peer asked for more time (MRA).
    void postpone(int serviceTimeout) {
        long patienceNs = CmTimeout.nanoseconds(serviceTimeout) + Retransmission.FIRST_NS;
        port.timers().arm(this, retransmission.postpone(port.nowNs(), patienceNs));
    }

    void stop() {
        unanswered = null;
        port.timers().cancel(this);
    }

    void alarmIn(long delayNs) {
        stop();
        port.timers().arm(this, port.nowNs() + delayNs);
    }

    @Override
    public void onExpiry(long nowNs) {
        if (unanswered == null) {
            onAlarm.run();
        } else if (retransmission.isOver(nowNs)) {
            onNoAnswer.run();
        } else {
            send(unanswered);
            port.timers().arm(this, retransmission.nextNs(nowNs));
        }
    }
}
