package io.verbena.soft.cm;

import io.verbena.roce.mad.CmMessage;
import io.verbena.soft.engine.Counters;
import io.verbena.soft.engine.Timers;
import io.verbena.soft.shard.ShardNumbers;

/// The part of a device that the connection manager uses. Called by the owner of the engine only.
interface CmPort {
    /// Sends to QP 1 of a peer; the message may get lost.
    void send(CmMessage message, long destinationHigh, long destinationLow);

    /// A device at that address told its GUID.
    void onGuid(long guid, long sourceHigh, long sourceLow);

    long nowNs();

    Timers timers();

    Counters counters();

    PortFacts facts();

    /// The numbers that connections may get.
    ShardNumbers numbers();
}
