package io.verbena.tools.program;

import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.attr.Access;
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
public final class QueuePairSteps {
    /// A datagram is accepted only with the receiver's queue key. Both sides use this one.
    public static final int QUEUE_KEY = 0x11111111;

    /// A sender that finds no receive here waits 0.64 ms.
    public static final int MIN_RNR_TIMER = 12;

    private static final int RNR_FOR_EVER = 7;

    private QueuePairSteps() {}

    /// RESET→INIT.
    ///
    /// @param access what the peer may do without this program; nothing where it only SENDs
    public static void toInit(QueuePair qp, int port, Access... access) {
        qp.modify(
                switch (qp.type()) {
                    case RC, UC -> QueuePairChange.toInit().access(access).port(port);
                    case UD -> QueuePairChange.toInit(QUEUE_KEY).port(port);
                });
    }

    /// INIT→RTR. A datagram queue pair has no peer: each send names its destination.
    ///
    /// @param reads READs and atomics of the peer that are served at once
    public static void toReadyToReceive(
            QueuePair qp, AddressVector peer, int peerNumber, int peerPsn, Mtu mtu, int reads) {
        qp.modify(
                switch (qp.type()) {
                    case RC ->
                        QueuePairChange.toRtr(peer, peerNumber, peerPsn)
                                .pathMtu(mtu)
                                .maxDestinationReadAtomic(reads)
                                .minRnrTimer(MIN_RNR_TIMER);
                    case UC ->
                        QueuePairChange.toRtrUnreliable(peer, peerNumber, peerPsn)
                                .pathMtu(mtu);
                    case UD -> QueuePairChange.toRtr();
                });
    }

    /// RTR→RTS. Only a reliable connection waits for acknowledgements and retransmits.
    ///
    /// @param timeout retransmits after 4.096 us * 2^timeout without an answer
    /// @param reads READs and atomics in flight
    public static void toReadyToSend(QueuePair qp, int psn, int timeout, int retries, int reads) {
        qp.modify(
                switch (qp.type()) {
                    case RC ->
                        QueuePairChange.toRts(psn)
                                .timeout(timeout)
                                .retryCount(retries)
                                .rnrRetry(RNR_FOR_EVER)
                                .maxReadAtomic(reads);
                    case UC, UD -> QueuePairChange.toRtsUnreliable(psn);
                });
    }
}
