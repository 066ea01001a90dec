package io.verbena.tools.pingpong;

import io.verbena.report.JsonObject;
import io.verbena.tools.program.Output;
import io.verbena.tools.program.PeerDevice;
import io.verbena.tools.program.ProgramOptions;
import io.verbena.tools.program.Result;
import io.verbena.tools.program.SideChannel;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/// Prints one run: the lines of the C programs, or JSON. Lines that belong together are printed at once, because a
/// server may have several clients.
final class PingPongReport {
    private final PingPongSettings settings;
    private final Output output;
    private final boolean statistics;
    private final Result result;

    PingPongReport(PingPongSettings settings, ProgramOptions options) {
        this.settings = settings;
        this.output = options.output();
        this.statistics = options.statistics();
        this.result = new Result(settings.isServer() ? "server" : "client")
                .put("kind", settings.kind().text());
    }

    void local(PeerDevice device, SideChannel channel, List<Destination> mine) {
        result.connected(device.context().device().name(), channel.local(), channel.peer());
        tell("local", "  local address:  ", mine);
    }

    void remote(List<Destination> theirs) {
        tell("remote", "  remote address: ", theirs);
    }

    private void tell(String name, String title, List<Destination> destinations) {
        result.put(
                name + "QueuePairs",
                destinations.stream().map(PingPongReport::json).toList());
        output.say(
                destinations.stream().map(d -> title + d.text()).collect(Collectors.joining(System.lineSeparator())));
    }

    private static Map<String, Object> json(Destination destination) {
        return new JsonObject()
                .with("lid", destination.lid())
                .with("qpn", destination.qpNumber())
                .with("psn", destination.psn())
                .with("gid", destination.gidText());
    }

    /// The run has ended, completely or early.
    void ended(PingPongLoop loop) {
        int iterations = loop.iterations();
        double seconds = loop.seconds();
        long bytes = 2L * settings.size() * iterations;
        double megabits = bytes * 8 / 1e6 / seconds;
        double microseconds = seconds * 1e6 / iterations;
        result.put("size", settings.size())
                .put("iterations", iterations)
                .put("bytes", bytes)
                .put("seconds", seconds)
                .put("megabitsPerSecond", megabits)
                .put("microsecondsPerIteration", microseconds)
                .put("verified", settings.verify());
        if (iterations > 0) {
            output.say(String.join(
                    System.lineSeparator(),
                    format("%d bytes in %.2f seconds = %.2f Mbit/sec", bytes, seconds, megabits),
                    format("%d iters in %.2f seconds = %.2f usec/iter", iterations, seconds, microseconds)));
        }
        if (statistics) {
            loop.statistics().print(output);
            result.put("statistics", loop.statistics().json());
        }
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    void failed(RuntimeException reason) {
        result.failed(reason);
    }

    void end() {
        output.result(result.json());
    }
}
