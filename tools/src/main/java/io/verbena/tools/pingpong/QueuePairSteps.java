package io.verbena.tools.pingpong;

import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.Mtu;

/// The states of a queue pair, set by hand. The connection manager takes the same steps for programs that use it.
///
/// ```
/// RESET  just made
///   ↓      which port, and who may do what
/// INIT   receives can be posted; packets are dropped
///   ↓      where the peer is, and with which sequence number its packets start
/// RTR    ready to receive: packets are taken
///   ↓      with which sequence number ours start, and the timeouts and retries
/// RTS    ready to send
/// ```
final class QueuePairSteps {
    /// A datagram is accepted only with the receiver's queue key. Both sides use this one.
    static final int QUEUE_KEY = 0x11111111;

    private QueuePairSteps() {}

    /// RESET→INIT. No remote access: the peer only SENDs.
    static void toInit(QueuePair qp, int port) {
        qp.modify(
                switch (qp.type()) {
                    case RC, UC -> QueuePairChange.toInit().port(port);
                    case UD -> QueuePairChange.toInit(QUEUE_KEY).port(port);
                });
    }

    /// INIT→RTR. A datagram queue pair has no peer: each send names its destination.
    static void toReadyToReceive(QueuePair qp, AddressVector peer, Destination remote, Mtu mtu) {
        qp.modify(
                switch (qp.type()) {
                    case RC ->
                        QueuePairChange.toRtr(peer, remote.qpNumber(), remote.psn())
                                .pathMtu(mtu)
                                .maxDestinationReadAtomic(1)
                                .minRnrTimer(12); // a sender that finds no receive here waits 0.64 ms
                    case UC ->
                        QueuePairChange.toRtrUnreliable(peer, remote.qpNumber(), remote.psn())
                                .pathMtu(mtu);
                    case UD -> QueuePairChange.toRtr();
                });
    }

    /// RTR→RTS. Only a reliable connection waits for acknowledgements and retransmits.
    static void toReadyToSend(QueuePair qp, int psn) {
        qp.modify(
                switch (qp.type()) {
                    case RC ->
                        QueuePairChange.toRts(psn)
                                .timeout(14) // retransmits after 4.096 us * 2^14 = 67 ms without an answer
                                .retryCount(7)
                                .rnrRetry(7) // for ever
                                .maxReadAtomic(1);
                    case UC, UD -> QueuePairChange.toRtsUnreliable(psn);
                });
    }
}
