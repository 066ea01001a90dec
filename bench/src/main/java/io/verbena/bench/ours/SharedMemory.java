package io.verbena.bench.ours;

import io.verbena.bench.pair.PairContestant;
import io.verbena.bench.side.Measurement;
import io.verbena.bench.side.Measurement.Operation;
import java.io.IOException;

/// Verbena over shared memory. It takes part only if its connection really uses shared memory, by the device's
/// counters.
class SharedMemory extends PairContestant {
    static final String COUNTER = "messages over shared memory";

    private static final int SIZE = 64;
    private static final int MESSAGES = 16;

    SharedMemory(Profile profile) {
        super(profile);
    }

    @Override
    public void open() throws Exception {
        super.open();
        exchange(Measurement.roundTrip(Operation.SEND, SIZE), MESSAGES);
        forgetRates();
        String counters = ask(true, "counters");
        if (!isUsed(counters)) {
            throw new IOException("shared memory not in use: the device counted no \"" + COUNTER + "\"");
        }
    }

    /// @param counters as a worker prints them: `NAME=VALUE;...`
    static boolean isUsed(String counters) {
        for (String counter : counters.split(";")) {
            if (counter.startsWith(COUNTER + "=")) {
                return Long.parseLong(counter.substring(COUNTER.length() + 1)) > 0;
            }
        }
        return false;
    }
}
