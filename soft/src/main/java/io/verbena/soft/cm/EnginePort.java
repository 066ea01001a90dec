package io.verbena.soft.cm;

import io.verbena.roce.mad.CmMessage;
import io.verbena.soft.device.SoftContext;
import io.verbena.soft.engine.Counters;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.engine.Timers;
import io.verbena.soft.shard.ShardNumbers;
import io.verbena.verbs.attr.DeviceAttributes;

/// The connection manager's port on an engine.
final class EnginePort implements CmPort {
    /// These numbers have eight bits in messages, and the largest means "as many as the device can".
    private static final int MOST_READS = 0xFE;

    private final Engine engine;
    private final PortFacts facts;

    EnginePort(SoftContext context) {
        this.engine = context.engines().first();
        DeviceAttributes attributes = context.attributes();
        this.facts = new PortFacts(
                attributes.nodeGuid(),
                context.device().gid(),
                context.port(1).activeMtu(),
                Math.min(MOST_READS, attributes.maxReadAtomicAsResponder()),
                Math.min(MOST_READS, attributes.maxReadAtomicAsInitiator()),
                attributes.localAckDelayCode());
    }

    @Override
    public void send(CmMessage message, long destinationHigh, long destinationLow) {
        engine.management().send(message, destinationHigh, destinationLow);
    }

    @Override
    public void onGuid(long guid, long sourceHigh, long sourceLow) {
        engine.management().peerKinds().onGuid(guid, sourceHigh, sourceLow);
    }

    @Override
    public long nowNs() {
        return engine.nowNs();
    }

    @Override
    public Timers timers() {
        return engine.timers();
    }

    @Override
    public Counters counters() {
        return engine.counters();
    }

    @Override
    public PortFacts facts() {
        return facts;
    }

    @Override
    public ShardNumbers numbers() {
        return engine.numbers();
    }
}
