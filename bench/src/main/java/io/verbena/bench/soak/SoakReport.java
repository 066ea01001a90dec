package io.verbena.bench.soak;

import io.verbena.bench.side.Sample;
import io.verbena.report.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The output of a run: rows while it runs, a summary, and JSON.
final class SoakReport {
    private static final String HEAD = "%8s  %-13s %7s %10s %6s %6s %9s %9s %9s %7s %12s %8s";
    private static final String ROW = "%8s  %-13s %7d %10d %6d %6d %9d %9d %6d MB %4d MB %12d %8d";

    private SoakReport() {}

    static String head() {
        return HEAD.formatted(
                "elapsed",
                "path",
                "rounds",
                "verified",
                "kills",
                "stops",
                "connects",
                "forged",
                "resident",
                "heap",
                "descriptors",
                "threads");
    }

    static String row(Duration elapsed, SoakPath path, SoakCounters counters, Sample sample) {
        return String.format(
                Locale.ROOT,
                ROW,
                time(elapsed),
                path,
                counters.get(SoakCounters.Count.ROUNDS),
                counters.get(SoakCounters.Count.VERIFIED),
                counters.get(SoakCounters.Count.KILLS),
                counters.get(SoakCounters.Count.STOPS),
                counters.get(SoakCounters.Count.CONNECTS),
                counters.get(SoakCounters.Count.FORGED),
                sample.residentKb() >> 10,
                sample.heapKb() >> 10,
                sample.descriptors(),
                sample.threads());
    }

    private static String time(Duration elapsed) {
        return "%d:%02d".formatted(elapsed.toMinutes(), elapsed.toSecondsPart());
    }

    static List<String> summary(List<SurvivorProcess> survivors, long seed, String repeat) {
        List<String> lines = new ArrayList<>();
        boolean sound = true;
        for (SurvivorProcess survivor : survivors) {
            addSummary(lines, survivor);
            sound &= survivor.failure() == null;
        }
        lines.add(
                sound
                        ? "All is well: no wrong byte, no hang. Seed " + seed + "."
                        : "Something was wrong, see above. The same turns again: " + repeat);
        return lines;
    }

    private static void addSummary(List<String> lines, SurvivorProcess survivor) {
        SoakCounters counters = survivor.counters();
        lines.add("%s: %d operations verified in %d rounds"
                .formatted(
                        survivor.path(),
                        counters.get(SoakCounters.Count.VERIFIED),
                        counters.get(SoakCounters.Count.ROUNDS)));
        lines.add("  the end of a process was noticed within " + counters.get(SoakCounters.Count.LONGEST_DEATH_MS)
                + " ms");
        lines.add("  %d forged connection requests reached the program, %d attempts to connect were repeated"
                .formatted(counters.get(SoakCounters.Count.STRANGERS), counters.get(SoakCounters.Count.RETRIES)));
        if (survivor.failure() != null) {
            lines.add("  WRONG: " + survivor.failure());
        } else {
            lines.add(
                    survivor.isFlat()
                            ? "  memory, descriptors and threads are flat"
                            : "  too short to tell whether memory, descriptors and threads are flat");
        }
    }

    static String json(List<SurvivorProcess> survivors, long seed, Duration time) {
        List<Map<String, Object>> paths = new ArrayList<>();
        for (SurvivorProcess survivor : survivors) {
            Map<String, Object> path = new LinkedHashMap<>();
            path.put("path", survivor.path());
            for (SoakCounters.Count count : SoakCounters.Count.values()) {
                path.put(count.key(), survivor.counters().get(count));
            }
            path.put("resident_kb", survivor.sample().residentKb());
            path.put("heap_kb", survivor.sample().heapKb());
            path.put("descriptors", survivor.sample().descriptors());
            path.put("threads", survivor.sample().threads());
            path.put("flat", survivor.isFlat());
            path.put("failure", survivor.failure());
            paths.add(path);
        }
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("seed", seed);
        all.put("seconds", time.toMillis() / 1e3);
        all.put("paths", paths);
        return Json.exact(all);
    }
}
