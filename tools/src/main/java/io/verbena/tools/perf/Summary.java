package io.verbena.tools.perf;

import io.verbena.tools.perf.report.Measurement;
import io.verbena.tools.program.Output;
import java.util.Locale;
import java.util.stream.Collectors;

/// The two lines that a server prints for a client: one at its begin, one at its end. The client prints the results.
final class Summary implements PerfListener {
    private final Output output;
    private String name = "";

    Summary(Output output) {
        this.output = output;
    }

    @Override
    public void started(PerfRun run) {
        PerfParameters p = run.parameters();
        name = "client " + run.peerAddress() + ": " + p.test().label();
        output.say(name + " over " + p.transport() + ", "
                + p.sizes().stream().map(String::valueOf).collect(Collectors.joining(", ")) + " bytes, "
                + (p.byDuration() ? p.seconds() + " s" : p.iterations() + " messages") + ", QPN "
                + String.format(Locale.ROOT, "0x%06x", run.local().getFirst().queuePair())
                + (run.verbenaPeer() ? "" : ", perftest " + run.peerVersion()));
    }

    @Override
    public void measured(Measurement measurement) {
        if (measurement.bandwidth() != null) {
            output.say(
                    "%s: %d bytes, both directions together %.3f Gbit/s",
                    name, measurement.bytes(), measurement.bandwidth().averageBytesPerSecond() * Byte.SIZE / 1e9);
        }
    }

    @Override
    public void finished(String trouble) {
        if (trouble == null) {
            output.say(name + " done");
        }
    }
}
