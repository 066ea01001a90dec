package io.verbena.bench.ours;

import io.verbena.bench.pair.Events;
import io.verbena.bench.pair.PairContestant;
import io.verbena.bench.side.Measurement;
import io.verbena.bench.side.Network;
import io.verbena.bench.side.RunResult;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Verbena over UDP, with what may disturb a run: what the device's threads did, and what the machine did.
final class CountedEvents extends PairContestant {
    /// Those of the device, by the names of its counters, then those of the machine.
    static final List<String> NAMES = List.of(
            "checks by the device's thread",
            "takeovers by the device's thread",
            "times the engine's lock changed hands",
            "times another thread ran the engine",
            "timers that expired",
            "times a waiting thread slept",
            "times a sleeping thread was woken",
            "packets retransmitted",
            Events.PREEMPTIONS,
            Events.INTERRUPTS);

    CountedEvents(Profile profile, Network network) {
        super(profile, network);
    }

    @Override
    public RunResult exchange(Measurement measurement, long messages) throws IOException, InterruptedException {
        RunResult result = super.exchange(measurement, messages);
        Events both = Events.parse(ask(true, "events")).plus(Events.parse(ask(false, "events")));
        return result.withEvents(perSecond(both, messages / result.messagesPerSecond()));
    }

    static Map<String, Double> perSecond(Events events, double seconds) {
        Map<String, Double> rates = new LinkedHashMap<>();
        for (String name : NAMES) {
            rates.put(name, events.counts().getOrDefault(name, 0L) / seconds);
        }
        return rates;
    }
}
