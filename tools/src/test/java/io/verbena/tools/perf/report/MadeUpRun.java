package io.verbena.tools.perf.report;

import io.verbena.report.Json;
import io.verbena.tools.perf.KeyLine;
import io.verbena.tools.perf.PerfParameters;
import io.verbena.tools.perf.PerfParameters.AtomicType;
import io.verbena.tools.perf.PerfRun;
import io.verbena.tools.perf.PerfTest;
import io.verbena.tools.perf.report.Measurement.Bandwidth;
import io.verbena.tools.perf.report.Measurement.Usage;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.QueuePairType;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.HdrHistogram.Histogram;

/// Made-up runs with figures that are known in advance.
final class MadeUpRun {
    private MadeUpRun() {}

    static PerfRun of(PerfTest test) {
        return of(test, 0, "rxe0");
    }

    static PerfRun of(PerfTest test, int seconds, String device) {
        var parameters = new PerfParameters(
                test,
                QueuePairType.RC,
                List.of(64, 4096),
                seconds == 0 ? 1000 : 0,
                seconds,
                test.isLatency() ? 1 : 128,
                512,
                100,
                220,
                1,
                false,
                false,
                1,
                1024,
                AtomicType.FETCH_AND_ADD,
                16,
                14,
                7,
                true,
                false);
        var local = new KeyLine(0, 1, 0x11, 0x7d8bcc, 0x204, 0x7f0011223000L, gid("10.0.0.1"), 0);
        var remote = new KeyLine(0, 1, 0x12, 0xabc, 0x305, 0x7f0099887000L, gid("10.0.0.2"), 0);
        return new PerfRun(
                parameters,
                true,
                true,
                "6.06",
                "10.0.0.2:18515",
                device,
                "soft",
                1,
                1024,
                List.of(local),
                List.of(remote));
    }

    private static Gid gid(String address) {
        return Gid.of(InetAddress.ofLiteral(address));
    }

    /// Samples of 1, 2, 3 ... 1000 us, times a factor.
    static Measurement latency(int bytes, double factor) {
        Histogram histogram = new Histogram(3);
        for (int i = 1; i <= 1000; i++) {
            histogram.recordValue(Math.round(i * 1000 * factor));
        }
        return new Measurement(bytes, histogram, null, new Usage(1000, 5_000_000, 0), true);
    }

    /// Latencies like real ones: most near `typicalUs`, with a long tail.
    static Measurement realLatency(int bytes, double typicalUs, int samples, long seed) {
        Histogram histogram = new Histogram(3);
        Random random = new Random(seed);
        for (int i = 0; i < samples; i++) {
            double us = typicalUs * (0.9 + 0.1 * Math.abs(random.nextGaussian()));
            us += random.nextInt(1000) == 0 ? typicalUs * random.nextDouble(8) : 0;
            us += random.nextInt(50_000) == 0 ? typicalUs * 20 * random.nextDouble(8) : 0;
            histogram.recordValue((long) (us * 1000));
        }
        return new Measurement(bytes, histogram, null, new Usage(samples, samples * 7_000L, 100), true);
    }

    /// 1000 messages in a second times the factor.
    static Measurement bandwidth(int bytes, double factor) {
        double rate = 1000 * factor;
        return new Measurement(
                bytes,
                null,
                new Bandwidth(1000, 1000L * bytes, (long) (1e9 / factor), 2 * rate * bytes, rate * bytes, rate),
                new Usage(1000, 3_000_000, 16_000),
                true);
    }

    static String json(PerfRun run, Measurement... measurements) {
        return Json.write(ResultDocument.of(run.parameters().test(), run, List.of(measurements), "UDP", null));
    }

    static SavedResult saved(String name, PerfTest test, Measurement... measurements) {
        return SavedResult.of(name, name, ResultDocument.of(test, of(test), List.of(measurements), "UDP", null));
    }

    static Path file(Path folder, String name, PerfTest test, Measurement... measurements) throws IOException {
        return Files.writeString(folder.resolve(name), json(of(test), measurements));
    }
}
