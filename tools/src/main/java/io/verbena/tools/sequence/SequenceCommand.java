package io.verbena.tools.sequence;

import io.verbena.report.OutputFile;
import io.verbena.tools.program.ProgramException;
import io.verbena.tools.program.Usage;
import io.verbena.tools.recording.Arrow;
import io.verbena.tools.recording.MessageMatcher;
import io.verbena.tools.recording.Side;
import io.verbena.tools.recording.TraceFile;
import io.verbena.tools.recording.TraceStep;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Draws a sequence diagram of two programs.
@Command(
        name = "sequence",
        sortOptions = false,
        description = {
            "Draw a sequence diagram (SVG) from the traces of a client and its server.",
            "Any program writes a trace with --trace-file."
        },
        footer = {
            "",
            "Examples:",
            "  verbena rping -s -a 127.0.0.1 --trace-file server.jsonl",
            "  verbena rping -c -a 127.0.0.1 --device 127.0.0.2 -C 2 --trace-file client.jsonl",
            "  verbena sequence client.jsonl server.jsonl -o rping.svg --title 'RDMA ping'",
            "  verbena sequence client.jsonl server.jsonl -o connect.svg --part connection",
            "  verbena sequence client.jsonl server.jsonl -o wait.svg --show ibv_req_notify,ibv_get_cq",
            "",
            "Of many equal rounds the first and the last are drawn. A server's trace should hold one client only.",
            "",
            "Exit code 0 when the picture was written, 1 when not, 2 for wrong usage."
        })
public final class SequenceCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "CLIENT", description = "The client's trace: the left side.")
    private Path client;

    @Parameters(index = "1", paramLabel = "SERVER", description = "The server's trace: the right side.")
    private Path server;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE.svg",
            description = "The file to write. Default: standard output.")
    private Path output;

    @Option(names = "--title", paramLabel = "TEXT", description = "The title of the diagram.")
    private String title = "";

    @Option(
            names = "--part",
            paramLabel = "PART",
            description = "all; connection: until both sides are connected; transfer: work requests and completions."
                    + " Default: all.")
    private Selection.Part part = Selection.Part.ALL;

    @Option(names = "--all", description = "Also draw queries, closing and waiting for notifications.")
    private boolean all;

    @Option(
            names = "--show",
            split = ",",
            paramLabel = "VERB",
            description = "Always show these verbs; a prefix is enough.")
    private List<String> show = List.of();

    @Option(names = "--hide", split = ",", paramLabel = "VERB", description = "Leave these verbs out.")
    private List<String> hide = List.of();

    @Option(names = "--no-fold", description = "Draw every round, not only the first and the last.")
    private boolean isUnfolded;

    @Mixin
    private Usage usage;

    @Override
    public Integer call() {
        requireSvg();
        List<TraceStep> left = TraceFile.read(client, Side.CLIENT);
        List<TraceStep> right = TraceFile.read(server, Side.SERVER);
        String both = role(left, "");
        if (!both.isEmpty() && both.equals(role(right, ""))) {
            throw new ProgramException(
                    "both traces are of a " + both + "; give that of the client and that of the server");
        }
        boolean isSwapped = role(left, "").equals("server") && role(right, "").equals("client");
        String picture = isSwapped
                ? draw(TraceFile.read(server, Side.CLIENT), TraceFile.read(client, Side.SERVER))
                : draw(left, right);
        if (output == null) {
            usage.out().print(picture);
            usage.out().flush();
        } else {
            OutputFile.write(output, picture);
        }
        return 0;
    }

    /// Another extension would mean another format. A name that is no regular file, such as /dev/stdout, may have any.
    private void requireSvg() {
        boolean isFile = output != null && (!Files.exists(output) || Files.isRegularFile(output));
        if (isFile && !output.toString().toLowerCase(Locale.ROOT).endsWith(".svg")) {
            throw usage.wrong("--output: cannot tell the format from '" + output + "'; use .svg");
        }
    }

    private String draw(List<TraceStep> left, List<TraceStep> right) {
        // matched in the complete traces, so that hidden steps do not shift the matches
        List<Arrow> arrows = MessageMatcher.of(left, right);
        var selection = new Selection(part, all, show, hide);
        List<TraceStep> steps = StepMerger.of(
                StepJoiner.join(selection.of(left), arrows), StepJoiner.join(selection.of(right), arrows), arrows);
        if (steps.isEmpty()) {
            throw new ProgramException("nothing is left to draw; try --part all, or --show VERB");
        }
        List<DiagramRow> rows = isUnfolded ? RoundFolder.none(steps) : RoundFolder.of(steps);
        Layout layout = Layout.of(rows, arrows, SvgPicture.top(title));
        long startNs = Stream.concat(left.stream(), right.stream())
                .mapToLong(TraceStep::timeNs)
                .min()
                .orElseThrow();
        return SvgPicture.of(layout, title, new String[] {role(left, "client"), role(right, "server")}, startNs);
    }

    private static String role(List<TraceStep> steps, String otherwise) {
        String role = steps.getFirst().role();
        return role.isEmpty() ? otherwise : role;
    }
}
