package io.verbena.bench.report;

import io.verbena.bench.run.Cell;
import io.verbena.bench.run.Goals;
import io.verbena.bench.run.Metric;
import io.verbena.bench.run.Records;
import io.verbena.bench.side.Measurement;
import io.verbena.bench.side.Measurement.Operation;
import io.verbena.bench.side.Names;
import io.verbena.bench.side.Sizes;
import io.verbena.report.Numbers;
import io.verbena.report.Svg;
import io.verbena.report.XmlText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The picture of `docs/performance.md`: Verbena beside its peers in four groups of bars, the best on top. Contestants
/// without a result are left out.
public final class Picture {
    private static final int WIDTH = 760;
    private static final int LABEL_END = 162;
    private static final int BAR_START = 170;
    private static final int LONGEST = 500;
    private static final int ROW = 20;
    private static final int BAR = 14;
    private static final int GAP = 33;
    private static final int TOP = 28;

    private static final String STYLE = """
            <style>text{font:12px system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif;fill:#1f2328}
            .title{font-size:13px;font-weight:600}.value{font-size:11px}.paper{fill:#fff}.other{fill:#afb8c1}.ours{fill:#0969da}
            @media (prefers-color-scheme:dark){text{fill:#e6edf3}.paper{fill:#0d1117}.other{fill:#484f58}.ours{fill:#58a6ff}}</style>
            """;

    private static final Measurement SEND_64 =
            Measurement.roundTrip(Operation.SEND, 64).withRead();
    private static final Measurement SEND_64K =
            Measurement.stream(Operation.SEND, 64 * Sizes.KIB).withRead();
    private static final Measurement WRITE_1M = Measurement.stream(Operation.WRITE, Sizes.MIB);

    private static final List<Group> GROUPS = List.of(
            new Group(
                    "64-byte round trip, shared memory (µs, less is better)",
                    Metric.MEDIAN,
                    List.of(
                            new Bar("Verbena SEND", new Cell(Names.SHARED, SEND_64)),
                            new Bar("Aeron IPC", new Cell(Names.AERON_IPC, SEND_64)),
                            new Bar("UCX posix", new Cell(Names.UCX_POSIX, SEND_64)))),
            new Group(
                    "64-byte round trip, UDP or TCP on loopback (µs, less is better)",
                    Metric.MEDIAN,
                    List.of(
                            new Bar("Verbena, UDP", new Cell(Names.UDP, SEND_64)),
                            new Bar("SocketChannel, TCP", new Cell(Names.TCP, SEND_64)),
                            new Bar("UCX, TCP", new Cell(Names.UCX_TCP, SEND_64)),
                            new Bar("libfabric, UDP", new Cell(Names.LIBFABRIC_RXD, SEND_64)))),
            new Group(
                    "64 KiB SEND bandwidth, shared memory (GB/s, more is better)",
                    Metric.BANDWIDTH,
                    List.of(
                            new Bar("Verbena", new Cell(Names.SHARED, SEND_64K)),
                            new Bar("UCX posix", new Cell(Names.UCX_POSIX, SEND_64K)))),
            new Group(
                    "1 MiB WRITE bandwidth, UDP on loopback (GB/s, more is better)",
                    Metric.BANDWIDTH,
                    List.of(
                            new Bar("Verbena", new Cell(Names.UDP, WRITE_1M)),
                            new Bar(
                                    "UDP without a protocol",
                                    new Cell(Names.RAW_UDP, Measurement.stream(Operation.DATAGRAM, Goals.SEGMENT))),
                            new Bar(
                                    "libfabric",
                                    new Cell(
                                            Names.LIBFABRIC_RXD,
                                            Measurement.stream(Operation.SEND, Sizes.MIB)
                                                    .withRead())))));

    private final Svg svg = new Svg();

    private record Group(String title, Metric metric, List<Bar> bars) {
        boolean isTime() {
            return metric == Metric.MEDIAN;
        }
    }

    private record Bar(String label, Cell cell) {
        boolean isOurs() {
            return label.startsWith("Verbena");
        }
    }

    private record Drawn(Bar bar, double value) {}

    private Picture() {}

    public static String of(Records records) {
        Picture picture = new Picture();
        int y = TOP;
        for (Group group : GROUPS) {
            y = picture.group(group, drawn(group, records), y);
        }
        return head(y) + picture.svg + "</svg>\n";
    }

    private static String head(int next) {
        int height = next - 10;
        return new Svg()
                .add(
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\">",
                        WIDTH, height, WIDTH, height)
                .raw("<title>Verbena beside its peers, two processes on one host</title>")
                .raw(STYLE.strip())
                .add("<rect class=\"paper\" width=\"%d\" height=\"%d\" rx=\"6\"/>", WIDTH, height)
                .toString();
    }

    private static List<Drawn> drawn(Group group, Records records) {
        List<Drawn> all = new ArrayList<>();
        for (Bar bar : group.bars()) {
            double value = records.spread(bar.cell(), group.metric()).median();
            if (!Double.isNaN(value)) {
                all.add(new Drawn(bar, group.isTime() ? value / 1e3 : value));
            }
        }
        Comparator<Drawn> byValue = Comparator.comparingDouble(Drawn::value);
        all.sort(group.isTime() ? byValue : byValue.reversed());
        return all;
    }

    /// Returns where the next group begins.
    private int group(Group group, List<Drawn> bars, int top) {
        svg.add("<text class=\"title\" x=\"16\" y=\"%d\">%s</text>", top, XmlText.escape(group.title()));
        double longest = bars.stream().mapToDouble(Drawn::value).max().orElse(1);
        int y = top + 23;
        for (Drawn drawn : bars) {
            long width = Math.max(1, Math.round(LONGEST * drawn.value() / longest));
            svg.add(
                    "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>"
                            + "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"2\"/>"
                            + "<text class=\"value\" x=\"%d\" y=\"%d\">%s</text>",
                    LABEL_END,
                    y,
                    XmlText.escape(drawn.bar().label()),
                    drawn.bar().isOurs() ? "ours" : "other",
                    BAR_START,
                    y - 11,
                    width,
                    BAR,
                    BAR_START + width + 6,
                    y,
                    Numbers.fixed(drawn.value(), drawn.value() < 1 ? 2 : 1));
            y += ROW;
        }
        return y - ROW + GAP;
    }
}
