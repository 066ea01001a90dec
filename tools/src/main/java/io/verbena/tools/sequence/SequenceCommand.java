package io.verbena.tools.sequence;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Draws what two programs did with each other.
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
            description = "The picture. Default: standard output.")
    private Path output;

    @Option(names = "--title", paramLabel = "TEXT", description = "What is written above it.")
    private String title = "";

    @Option(
            names = "--part",
            paramLabel = "PART",
            description = "all; connection: until both sides are connected; transfer: work requests and completions."
                    + " Default: all.")
    private Selection.Part part = Selection.Part.ALL;

    @Option(names = "--all", description = "Also queries, closing and the waiting for notifications.")
    private boolean all;

    @Option(
            names = "--show",
            split = ",",
            paramLabel = "VERB",
            description = "Show these verbs in any case; the beginning of a name is enough.")
    private List<String> show = List.of();

    @Option(names = "--hide", split = ",", paramLabel = "VERB", description = "Leave these verbs out.")
    private List<String> hide = List.of();

    @Option(names = "--no-fold", description = "Draw all of many equal rounds.")
    private boolean isUnfolded;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean help;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        List<Step> left = TraceFile.read(client, Side.CLIENT);
        List<Step> right = TraceFile.read(server, Side.SERVER);
        boolean isSwapped = role(left, "").equals("server") && role(right, "").equals("client");
        String picture = isSwapped
                ? draw(TraceFile.read(server, Side.CLIENT), TraceFile.read(client, Side.SERVER))
                : draw(left, right);
        if (output == null) {
            spec.commandLine().getOut().print(picture);
            spec.commandLine().getOut().flush();
        } else {
            write(picture);
        }
        return 0;
    }

    private String draw(List<Step> left, List<Step> right) {
        // found in all of the traces, so that leaving out does not shift what belongs together
        List<Arrow> arrows = Matching.of(left, right);
        var selection = new Selection(part, all, show, hide);
        List<Step> steps = Ordering.of(
                Repetition.join(selection.of(left), arrows), Repetition.join(selection.of(right), arrows), arrows);
        if (steps.isEmpty()) {
            throw new SequenceException("nothing is left to draw; try --part all, or --show VERB");
        }
        List<Row> rows = isUnfolded ? Folding.none(steps) : Folding.of(steps);
        Layout layout = Layout.of(rows, arrows, SvgPicture.top(title));
        long startNs = Stream.concat(left.stream(), right.stream())
                .mapToLong(Step::timeNs)
                .min()
                .orElseThrow();
        return SvgPicture.of(layout, title, new String[] {role(left, "client"), role(right, "server")}, startNs);
    }

    private static String role(List<Step> steps, String otherwise) {
        String role = steps.getFirst().role();
        return role.isEmpty() ? otherwise : role;
    }

    private void write(String picture) {
        try {
            Files.writeString(output, picture);
        } catch (IOException e) {
            throw new SequenceException(
                    "cannot write " + output + ": " + e.getClass().getSimpleName() + "; does its folder exist?", e);
        }
    }
}
