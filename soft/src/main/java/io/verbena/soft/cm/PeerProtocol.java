package io.verbena.soft.cm;

import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.cm.ConnectionParameters;

/// The protocol between an id and its peer, for connections or for datagram services. Called under the id's monitor.
interface PeerProtocol {
    /// Makes a new queue pair ready for receives; for datagrams also ready to send.
    void init(QueuePair made);

    /// Sends a request to the peer that the id has resolved.
    void connect(ConnectionParameters parameters);

    void accept(ConnectionParameters parameters);

    void reject(byte[] privateData);

    void disconnect();

    /// The program moved its own queue pair to RTS.
    void establish();

    /// The program saw the first data.
    void notifyEstablished();

    QueuePairChange step(QueuePairState to);

    /// Tells the peer that the process ends, if there is a peer. Without the monitor.
    void disconnectBeforeExit();

    /// Tells the peer that this side is gone, if there is a peer.
    void close();
}
