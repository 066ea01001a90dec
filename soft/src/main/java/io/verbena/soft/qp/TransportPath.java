package io.verbena.soft.qp;

import io.verbena.soft.engine.Counter;
import io.verbena.soft.engine.PacketView;

/// The path by which a queue pair reaches its peer. A reliable connection uses one of two: packets ([PacketPath]), or
/// memory of the same host ([LocalPath]). Services of the other types implement their only path themselves. Called by
/// the engine's owner.
interface TransportPath {
    /// RTR: serves the peer's requests from now on, with the present settings.
    void startReceiving();

    /// RTR to RTS: sends requests from now on, with the present settings.
    void startSending();

    /// SQD to SQD: applies settings that may change while nothing is in flight.
    default void applyDrainedSettings() {}

    /// The state or the settings have changed.
    default void onChanged() {}

    /// Called before the program ends the connection. Acknowledges what was received: those requests must not fail at
    /// the peer.
    default void finishReceiving() {}

    /// ERR, RESET or closing: stops sending, serving and all timers.
    void stop();

    /// Whether every started message is acknowledged, which draining waits for.
    boolean isDrained();

    /// The PSN expected next, for queries.
    int receivePsn();

    /// The PSN to be sent next, for queries.
    int sendPsn();

    /// Sends up to `budget` packets of each kind. Returns how many were sent.
    int emitPackets(long nowNs, int budget);

    /// Whether requests wait because the peer has no receive. From any thread, as a hint.
    default boolean isReceiverNotReady() {
        return false;
    }

    // ---- what the engine asks of a queue pair, see ServedQueuePair ----

    Counter admits(PacketView packet, long sourceHigh, long sourceLow);

    void onPacket(PacketView packet, long nowNs);

    boolean hasMoreToEmit();

    boolean sendAcknowledgement(long nowNs, boolean atOnce);
}
