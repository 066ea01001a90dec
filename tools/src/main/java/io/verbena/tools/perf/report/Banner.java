package io.verbena.tools.perf.report;

import io.verbena.roce.dump.GidText;
import io.verbena.tools.perf.KeyLine;
import io.verbena.tools.perf.PerfParameters;
import io.verbena.tools.perf.PerfRun;
import io.verbena.tools.perf.PerfTest.Verb;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The lines before the table: the parameters by perftest's names, and the queue pairs of both sides.
final class Banner {
    static final String RULE = "-".repeat(87);

    private static final Map<Verb, String> NAMES =
            Map.of(Verb.SEND, "Send", Verb.WRITE, "RDMA_Write", Verb.READ, "RDMA_Read", Verb.ATOMIC, "Atomic");

    private Banner() {}

    static List<String> lines(PerfRun run) {
        List<String> lines = new ArrayList<>();
        lines.add(RULE);
        lines.add(" ".repeat(20) + title(run.parameters()));
        lines.addAll(parameters(run));
        lines.add(RULE);
        run.local().forEach(key -> lines.add(address(run, "local", key)));
        run.remote().forEach(key -> lines.add(address(run, "remote", key)));
        lines.add(RULE);
        return lines;
    }

    private static String title(PerfParameters parameters) {
        String kind = parameters.test().isLatency() ? "Latency" : "BW";
        return NAMES.get(parameters.test().verb()) + (parameters.bidirectional() ? " Bidirectional " : " ") + kind
                + " Test";
    }

    private static List<String> parameters(PerfRun run) {
        PerfParameters parameters = run.parameters();
        boolean latency = parameters.test().isLatency();
        List<String> lines = new ArrayList<>();
        lines.add(pair("Device", run.device(), "Provider", run.provider()));
        lines.add(one(
                "Peer", run.peerAddress() + ", " + (run.verbenaPeer() ? "verbena" : "perftest " + run.peerVersion())));
        lines.add(pair("Connection type", parameters.transport(), "Number of qps", parameters.queuePairs()));
        lines.add(
                latency
                        ? one("TX depth", parameters.txDepth())
                        : pair("TX depth", parameters.txDepth(), "CQ Moderation", parameters.cqModeration()));
        lines.add(pair("Mtu", run.mtu() + "[B]", "GID index", run.gidIndex()));
        lines.add(
                parameters.test().verb().isFetch()
                        ? one("Outstand reads", parameters.outstandingReads())
                        : one("Max inline data", parameters.inlineBytes() + "[B]"));
        return lines;
    }

    static String one(String name, Object value) {
        return String.format(Locale.ROOT, " %-16s: %s", name, value);
    }

    private static String pair(String name, Object value, String second, Object secondValue) {
        return String.format(Locale.ROOT, " %-16s: %s\t\t%-15s: %s", name, value, second, secondValue);
    }

    private static String address(PerfRun run, String side, KeyLine key) {
        Verb verb = run.parameters().test().verb();
        StringBuilder line = new StringBuilder(String.format(
                Locale.ROOT,
                " %s address: LID %04x QPN 0x%04x PSN 0x%x",
                side,
                key.lid(),
                key.queuePair(),
                key.packetSequence()));
        if (verb.isFetch()) {
            line.append(String.format(Locale.ROOT, " OUT 0x%02x", key.outstandingReads()));
        }
        if (verb != Verb.SEND) {
            line.append(String.format(Locale.ROOT, " RKey 0x%06x VAddr 0x%014x", key.rkey(), key.virtualAddress()));
        }
        return line + " GID " + GidText.of(key.gid().high(), key.gid().low());
    }
}
