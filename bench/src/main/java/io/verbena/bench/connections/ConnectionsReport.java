package io.verbena.bench.connections;

import io.verbena.bench.report.Spreads;
import io.verbena.bench.run.Spread;
import io.verbena.report.Json;
import io.verbena.report.Numbers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/// The rounds as text and as JSON. Of each number there is the median of the rounds, with quartiles.
record ConnectionsReport(int connections, List<Round> rounds) {
    /// Bytes of heap for each connection must be fewer.
    static final double MOST_HEAP = 16 * 1024;

    static final double MOST_RATIO = 1.1;

    private static final double KIB = 1024;
    private static final double PERCENT = 100;

    private Spread of(ToDoubleFunction<Round> what) {
        return Spread.of(rounds.stream().mapToDouble(what).toArray());
    }

    /// Of the side that has more.
    private double mostHeap() {
        return Math.max(
                of(round -> round.client().heap()).median(),
                of(round -> round.server().heap()).median());
    }

    private double ratio() {
        return of(Round::ratio).median();
    }

    String text() {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%,d connections over UDP between two processes; rounds: %d, shown: median [quartiles]",
                connections,
                rounds.size()));
        lines.add(row("set-up", seconds(Round::openSeconds) + ", " + perSecond() + " connects/s"));
        lines.add(row("close", seconds(Round::closeSeconds)));
        lines.add(row("heap each", sizes(Growth::heap) + goal(mostHeap() < MOST_HEAP, "< 16 KiB")));
        lines.add(row("resident each", sizes(Growth::resident)));
        lines.add(row("heap each, closed", sizes(Growth::heapAfter)));
        lines.add(row("64 B SEND alone", times(Round::alone)));
        lines.add(row("beside the others", times(Round::beside)));
        lines.add(row(
                "ratio",
                "p50 " + plain(of(Round::ratio)) + ", p99 " + plain(of(Round::tailRatio))
                        + goal(ratio() <= MOST_RATIO, "p50 \u2264 " + MOST_RATIO)));
        lines.add(row("CPU when all idle", cpu(Round::beside) + ", alone " + cpu(Round::alone)));
        return String.join("\n", lines) + "\n";
    }

    private static String row(String what, String values) {
        return String.format(Locale.ROOT, "  %-18s  %s", what, values);
    }

    private static String goal(boolean met, String goal) {
        return "   goal " + goal + ": " + (met ? "met" : "missed");
    }

    private static String plain(Spread spread) {
        return Numbers.rounded(spread.median()) + " " + Spreads.text(spread);
    }

    private String seconds(ToDoubleFunction<Round> what) {
        Spread spread = of(what);
        return Numbers.rounded(spread.median()) + " s " + Spreads.text(spread);
    }

    private String perSecond() {
        return String.format(
                Locale.ROOT, "%,.0f", connections / of(Round::openSeconds).median());
    }

    private String sizes(ToDoubleFunction<Growth> what) {
        return "client " + kib(round -> what.applyAsDouble(round.client())) + ", server "
                + kib(round -> what.applyAsDouble(round.server()));
    }

    private String kib(ToDoubleFunction<Round> what) {
        Spread spread = of(round -> what.applyAsDouble(round) / KIB);
        return Numbers.rounded(spread.median()) + " KiB " + Spreads.text(spread);
    }

    private String times(Function<Round, Phase> phase) {
        Spread median = of(round -> phase.apply(round).median().median());
        Spread tail = of(round -> phase.apply(round).tail().median());
        return "p50 " + Numbers.time(median.median()) + " " + Spreads.times(median) + ", p99 "
                + Numbers.time(tail.median()) + " " + Spreads.times(tail);
    }

    private String cpu(Function<Round, Phase> phase) {
        Spread part = of(round -> PERCENT * phase.apply(round).idleCpu());
        Spread keepAlives = of(round -> phase.apply(round).keepAlives());
        return Numbers.rounded(part.median()) + " % of a processor, " + Numbers.rounded(keepAlives.median())
                + " keep-alives/s";
    }

    String json() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("connections", connections);
        all.put(
                "goals",
                List.of(
                        goal("heap bytes for each connection", mostHeap(), "<", MOST_HEAP, mostHeap() < MOST_HEAP),
                        goal(
                                "64 B SEND round trip beside the others, against alone",
                                ratio(),
                                "<=",
                                MOST_RATIO,
                                ratio() <= MOST_RATIO)));
        all.put("rounds", rounds.stream().map(this::json).toList());
        return Json.exact(all);
    }

    private static Map<String, Object> goal(String name, double value, String sign, double target, boolean met) {
        Map<String, Object> goal = new LinkedHashMap<>();
        goal.put("name", name);
        goal.put("value", value);
        goal.put("sign", sign);
        goal.put("target", target);
        goal.put("met", met);
        return goal;
    }

    private Map<String, Object> json(Round round) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("openSeconds", round.openSeconds());
        fields.put("connectsPerSecond", connections / round.openSeconds());
        fields.put("closeSeconds", round.closeSeconds());
        fields.put("client", json(round.client()));
        fields.put("server", json(round.server()));
        fields.put("alone", json(round.alone()));
        fields.put("beside", json(round.beside()));
        return fields;
    }

    private static Map<String, Object> json(Growth growth) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("heapBytes", growth.heap());
        fields.put("residentBytes", growth.resident());
        fields.put("heapBytesAfter", growth.heapAfter());
        return fields;
    }

    private static Map<String, Object> json(Phase phase) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("p50Ns", phase.runs().stream().map(run -> run.p50()).toList());
        fields.put("p99Ns", phase.runs().stream().map(run -> run.p99()).toList());
        fields.put("idleCpu", phase.idleCpu());
        fields.put("keepAlivesPerSecond", phase.keepAlives());
        return fields;
    }
}
