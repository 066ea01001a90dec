package io.verbena.soft.cm;

import io.verbena.roce.mad.CmMessage;
import io.verbena.soft.engine.Counters;
import io.verbena.soft.engine.Timers;

/// All the connection manager needs of a device. Called by the owner of the engine only.
interface CmPort {
    /// Sends to QP 1 of a peer; the message may get lost.
    void send(CmMessage message, long destinationHigh, long destinationLow);

    long nowNs();

    Timers timers();

    Counters counters();

    PortFacts facts();
}
