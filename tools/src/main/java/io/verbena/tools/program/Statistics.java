package io.verbena.tools.program;

import io.verbena.report.JsonObject;
import io.verbena.report.measure.CpuTime;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/// Counts what a connection did between [#start] and [#stop], and prints it as the course's programs do.
///
/// The polling thread owns the counters; [Progress] may read them meanwhile.
public final class Statistics {
    private long startNs = System.nanoTime();
    private CpuTime startCpu = CpuTime.now();
    private Duration elapsed = Duration.ZERO;
    private CpuTime cpu = CpuTime.NONE;
    private long sends;
    private long receives;
    private long others;
    private long messages;
    private long bytes;
    private long roundTrips;

    /// The data phase begins.
    public void start() {
        startNs = System.nanoTime();
        startCpu = CpuTime.now();
    }

    /// The data phase is over.
    public void stop() {
        elapsed = Duration.ofNanos(System.nanoTime() - startNs);
        cpu = CpuTime.now().minus(startCpu);
    }

    public void sendCompleted() {
        sends++;
    }

    public void receiveCompleted() {
        receives++;
    }

    /// A WRITE, a READ or an atomic operation completed.
    public void otherCompleted() {
        others++;
    }

    /// A message of that many bytes was sent or received.
    public void message(long size) {
        messages++;
        bytes += size;
    }

    public void roundTrip() {
        roundTrips++;
    }

    public long messages() {
        return messages;
    }

    public long bytes() {
        return bytes;
    }

    public long roundTrips() {
        return roundTrips;
    }

    public Duration elapsed() {
        return elapsed;
    }

    public double messagesPerSecond() {
        return messages / seconds(elapsed);
    }

    public double megabitsPerSecond() {
        return bytes * 8 / 1e6 / seconds(elapsed);
    }

    /// NaN when there was no round trip.
    public double microsecondsPerRoundTrip() {
        return roundTrips == 0 ? Double.NaN : elapsed.toNanos() / 1e3 / roundTrips;
    }

    /// Prints the lines of `--stats`.
    public void print(Output output) {
        line(output, "%,d recv completions, %,d send completions", receives, sends);
        if (others > 0) {
            line(output, "%,d RDMA and atomic completions", others);
        }
        if (messages > 0) {
            line(output, "%,.0f messages per second", messagesPerSecond());
            line(output, "%,.2f megabits per second", megabitsPerSecond());
        }
        if (roundTrips > 0) {
            line(output, "%,.3f microseconds per round-trip", microsecondsPerRoundTrip());
        }
        line(output, "%.3f seconds elapsed", seconds(elapsed));
        line(output, "%.3f seconds user time, %.1f %%", seconds(cpu.user()), percent(cpu.user()));
        line(output, "%.3f seconds kernel time, %.1f %%", seconds(cpu.kernel()), percent(cpu.kernel()));
    }

    private static void line(Output output, String format, Object... values) {
        output.say("%s", "  " + String.format(Locale.ROOT, format, values));
    }

    /// The statistics for programs.
    public Map<String, Object> json() {
        return new JsonObject()
                .with("receiveCompletions", receives)
                .with("sendCompletions", sends)
                .with("otherCompletions", others)
                .with("messages", messages)
                .with("bytes", bytes)
                .with("roundTrips", roundTrips)
                .with("seconds", seconds(elapsed))
                .with("messagesPerSecond", messagesPerSecond())
                .with("megabitsPerSecond", megabitsPerSecond())
                .with("microsecondsPerRoundTrip", microsecondsPerRoundTrip())
                .with("userSeconds", seconds(cpu.user()))
                .with("kernelSeconds", seconds(cpu.kernel()));
    }

    private double percent(Duration part) {
        return elapsed.isZero() ? 0 : 100 * seconds(part) / seconds(elapsed);
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
