package io.verbena.tools.view;

import io.verbena.report.OutputFile;
import io.verbena.tools.program.ProgramException;
import io.verbena.tools.program.Usage;
import io.verbena.tools.recording.Side;
import io.verbena.tools.recording.TraceFile;
import io.verbena.tools.recording.TraceStep;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Shows what happened, in a page for a browser.
@Command(
        name = "view",
        sortOptions = false,
        description = {
            "Show traces of one or two programs, captures of packets and recordings of the JDK's flight recorder in one"
                    + " page, with what went wrong.",
            "Any program writes a trace with --trace-file; captures are those of a software device or of tcpdump;"
                    + " java -XX:StartFlightRecording records."
        },
        footer = {
            "",
            "Examples:",
            "  verbena view client.jsonl server.jsonl",
            "  verbena view client.jsonl server.jsonl wire.pcap -o talk.html --no-open",
            "  verbena view tcpdump.pcapng",
            "  verbena view server.jfr client.jsonl",
            "",
            "The page needs nothing else and asks for nothing: it can be kept, or sent to somebody.",
            "It has the addresses, keys and sizes of the files, but no content of messages.",
            "",
            "Exit code 0 when the page was written, 1 when not, 2 for wrong usage."
        })
public final class ViewCommand implements Callable<Integer> {
    private static final int MOST_PROBLEMS = 20;

    /// Findings whose titles are printed.
    private static final int MOST_TOLD = 5;

    @Parameters(
            paramLabel = "FILE",
            arity = "1..*",
            description = "Traces of at most two programs, captures, and recordings.")
    private List<Path> files;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE.html",
            description = "The page to write. Default: ${DEFAULT-VALUE}.")
    private Path output = Path.of("view.html");

    @Option(names = "--title", paramLabel = "TEXT", description = "The title of the page.")
    private String title = "";

    @Option(names = "--no-open", description = "Only write the page, do not open it in the browser.")
    private boolean isWrittenOnly;

    @Mixin
    private Usage usage;

    private final List<String> problems = new ArrayList<>();
    private int untold;

    @Override
    public Integer call() {
        List<Source> sources = readAll();
        if (sources.stream().allMatch(source -> source.events().isEmpty())) {
            throw new ProgramException(problems.isEmpty() ? "there is nothing in " + names() : problems.getFirst());
        }
        if (untold > 0) {
            problems.add("and " + untold + " more of this kind");
        }
        Conversation conversation = Conversation.of(sources);
        List<Finding> findings = Findings.of(conversation);
        String heading = title.isEmpty() ? names() : title;
        OutputFile.write(output, ViewPage.of(heading, PageData.of(conversation, findings, problems, heading)));
        problems.forEach(problem -> usage.err().println("verbena: " + problem));
        usage.out()
                .println("%s: %s, %s, %s"
                        .formatted(
                                output,
                                PacketFindings.count(conversation.events().size(), "event", "events"),
                                PacketFindings.count(conversation.flows().size(), "request", "requests"),
                                PacketFindings.count(findings.size(), "finding", "findings")));
        findings.stream().limit(MOST_TOLD).forEach(finding -> usage.out().println("  " + finding.title()));
        if (findings.size() > MOST_TOLD) {
            usage.out().println("  and " + (findings.size() - MOST_TOLD) + " more");
        }
        if (!isWrittenOnly) {
            BrowserWindow.open(output);
        }
        return 0;
    }

    private String names() {
        return files.stream().map(file -> file.getFileName().toString()).collect(Collectors.joining(", "));
    }

    private void complain(String problem) {
        if (problems.size() < MOST_PROBLEMS) {
            problems.add(problem);
        } else {
            untold++;
        }
    }

    private List<Source> readAll() {
        Map<Path, List<TraceStep>> traces = new LinkedHashMap<>();
        List<Path> others = new ArrayList<>();
        for (Path file : files) {
            if (InputFile.of(file) == InputFile.TRACE) {
                trace(file, traces);
            } else {
                others.add(file);
            }
        }
        if (traces.size() > 2) {
            throw usage.wrong("traces of at most two programs fit on a page, here are " + traces.size());
        }
        List<Source> sources = traceSources(traces);
        for (Path file : others) {
            InputFile kind = InputFile.of(file);
            List<ViewEvent> events = events(file, kind, sources.size());
            sources.add(new Source(file.getFileName().toString(), kind, null, events));
        }
        return sources;
    }

    /// A file without any line of a trace is something else, whose lines are not worth a complaint each.
    private void trace(Path file, Map<Path, List<TraceStep>> traces) {
        int told = problems.size();
        int before = untold;
        List<TraceStep> steps = TraceFile.read(file, Side.CLIENT, this::complain);
        if (steps.isEmpty() && told + before < problems.size() + untold) {
            problems.subList(told, problems.size()).clear();
            untold = before;
            complain(InputFile.refusal(file));
        } else {
            traces.put(file, steps);
        }
    }

    /// The first one is the client's, unless it says that it is the server's.
    private static List<Source> traceSources(Map<Path, List<TraceStep>> traces) {
        List<Source> sources = new ArrayList<>();
        Side side = null;
        for (Map.Entry<Path, List<TraceStep>> trace : traces.entrySet()) {
            List<TraceStep> steps = trace.getValue();
            boolean isServer = !steps.isEmpty() && steps.getFirst().role().equals("server");
            side = side != null ? side.other() : isServer ? Side.SERVER : Side.CLIENT;
            int number = sources.size();
            List<ViewEvent> events = new ArrayList<>(steps.size());
            for (TraceStep step : steps) {
                events.add(ViewEvent.of(number, step.of(side)));
            }
            sources.add(new Source(trace.getKey().getFileName().toString(), InputFile.TRACE, side, events));
        }
        return sources;
    }

    /// Of a capture or a recording.
    private List<ViewEvent> events(Path file, InputFile kind, int number) {
        try {
            return kind == InputFile.RECORDING
                    ? RecordingInput.read(file, this::complain).stream()
                            .map(step -> ViewEvent.of(number, step))
                            .toList()
                    : CaptureInput.read(file, kind == InputFile.PCAPNG, this::complain).stream()
                            .map(packet -> ViewEvent.of(number, packet))
                            .toList();
        } catch (IOException e) {
            throw new ProgramException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }
}
