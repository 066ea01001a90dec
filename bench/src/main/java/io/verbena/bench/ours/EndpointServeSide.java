package io.verbena.bench.ours;

import io.verbena.bench.pair.Samples;
import io.verbena.bench.side.Measurement;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// A server that works in a virtual thread, as [io.verbena.endpoint.EndpointServer#serve] has it, and a client in a
/// platform thread.
final class EndpointServeSide extends EndpointSide {
    EndpointServeSide(List<String> arguments) {
        super(arguments);
    }

    @Override
    public boolean allocatesElsewhere() {
        return true;
    }

    @Override
    public void run(Measurement measurement, long messages, Samples samples) throws InterruptedException {
        if (client) {
            super.run(measurement, messages, samples);
            return;
        }
        FutureTask<Void> served = new FutureTask<>(() -> {
            super.run(measurement, messages, samples);
            return null;
        });
        Thread.ofVirtual().start(served);
        try {
            served.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause().getMessage(), e);
        }
    }
}
