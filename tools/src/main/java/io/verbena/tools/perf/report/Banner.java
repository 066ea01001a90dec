package io.verbena.tools.perf.report;

import io.verbena.tools.perf.KeyLine;
import io.verbena.tools.perf.PerfParameters;
import io.verbena.tools.perf.PerfRun;
import io.verbena.tools.perf.PerfTest.Verb;
import io.verbena.verbs.attr.Gid;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// What perftest's programs print before the table: the parameters, and the queue pairs of both sides.
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
        run.local().forEach(key -> lines.addAll(address(run, "local", key)));
        run.remote().forEach(key -> lines.addAll(address(run, "remote", key)));
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
        lines.add(pair("Dual-port", "OFF", "Device", run.device()));
        lines.add(pair("Number of qps", parameters.queuePairs(), "Transport type", "IB"));
        lines.add(pair("Connection type", parameters.transport(), "Using SRQ", "OFF"));
        lines.add(one("PCIe relax order", "OFF"));
        lines.add(one("ibv_wr* API", "OFF"));
        lines.add(one("TX depth", parameters.txDepth()));
        if (!latency) {
            lines.add(one("CQ Moderation", parameters.cqModeration()));
        }
        lines.add(one("Mtu", run.mtu() + "[B]"));
        // ports of InfiniBand have a LID, those of Ethernet never
        boolean ethernet = run.local().stream().allMatch(key -> key.lid() == 0);
        lines.add(one("Link type", ethernet ? "Ethernet" : "IB"));
        lines.add(one("GID index", run.gidIndex()));
        if (parameters.test().verb().isFetch()) {
            lines.add(one("Outstand reads", parameters.outstandingReads()));
        } else {
            lines.add(one("Max inline data", parameters.inlineBytes() + "[B]"));
        }
        lines.add(one("rdma_cm QPs", "OFF"));
        lines.add(one("Data ex. method", "Ethernet"));
        lines.add(one(
                "Peer", run.peerAddress() + ", " + (run.verbenaPeer() ? "verbena" : "perftest " + run.peerVersion())));
        lines.add(one("Provider", run.provider()));
        return lines;
    }

    static String one(String name, Object value) {
        return String.format(Locale.ROOT, " %-16s: %s", name, value);
    }

    private static String pair(String name, Object value, String second, Object secondValue) {
        return String.format(Locale.ROOT, " %-16s: %s\t\t%-15s: %s", name, value, second, secondValue);
    }

    private static List<String> address(PerfRun run, String side, KeyLine key) {
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
        return List.of(line.toString(), " GID: " + gid(key.gid()));
    }

    /// The bytes in decimal, as perftest has them.
    private static String gid(Gid gid) {
        return IntStream.range(0, Long.BYTES * 2)
                .map(i -> (int) ((i < Long.BYTES ? gid.high() : gid.low()) >>> 8 * (Long.BYTES - 1 - i % Long.BYTES))
                        & 0xff)
                .mapToObj(octet -> String.format(Locale.ROOT, "%02d", octet))
                .collect(Collectors.joining(":"));
    }
}
