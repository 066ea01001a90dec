package io.verbena.soft.qp;

import io.verbena.soft.engine.Counter;
import io.verbena.soft.engine.PacketView;

/// How the requests of a reliable connection get to the peer and are served: as packets ([PacketPath]), or through
/// memory of the same host ([LocalPath]). A connection has exactly one at a time. Called by the engine's owner.
interface ReliablePath {
    /// RTR: the peer's requests are served from now on.
    void startReceiving();

    /// RTR to RTS: requests may leave.
    void startSending();

    /// SQD again: settings that may change while nothing is out.
    void takeDrainedSettings();

    /// State or settings are other ones now.
    void onChanged();

    /// Before the program itself ends the traffic: what it received is the peer's success.
    void finishReceiving();

    /// ERR, RESET or closing: nothing leaves and nothing is served any more, no timer runs.
    void stop();

    /// Whether every started message is answered.
    boolean isDrained();

    int receivePsn();

    int sendPsn();

    /// Whether a packet from the network is for the connection as it is; else what to count.
    Counter admits(PacketView packet, long sourceHigh, long sourceLow);

    void onPacket(PacketView packet, long nowNs);

    /// One turn: how much left.
    int emit(long nowNs, int budget);

    boolean hasMoreToEmit();

    /// Sends what there is to answer; with `atOnce` even what may wait. False when it is still to be sent.
    boolean sendAcknowledgement(long nowNs, boolean atOnce);
}
