package io.verbena.bench.connections;

import io.verbena.bench.report.TerminalProgress;
import io.verbena.report.OutputFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The command `./verbena bench connections`.
@Command(
        name = "connections",
        sortOptions = false,
        usageHelpWidth = 110,
        description = "Opens many connections over UDP between two processes, and measures one beside them.",
        footer = {
            "",
            "Each round measures one connection alone, opens the others by the connection manager, with 4 sends and 4",
            "receives each and one completion queue for all, measures the one again, and closes the others. The others",
            "exchange nothing but keep-alives. Memory is compared with that before the first round, after a collection.",
            "",
            "Exit code: 0 when it ran, met goals or not; 1 when it failed; 2 for wrong usage."
        })
public final class ConnectionsCommand implements Callable<Integer> {
    /// The ephemeral ports of one address.
    private static final int MOST = 28_000;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--connections",
            paramLabel = "N",
            description = "how many (${DEFAULT-VALUE})",
            defaultValue = "10000")
    private int connections;

    @Option(names = "--rounds", paramLabel = "N", description = "rounds (${DEFAULT-VALUE})", defaultValue = "3")
    private int rounds;

    @Option(names = "--json", paramLabel = "FILE", description = "write the results to FILE")
    private Path json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "show this")
    private boolean help;

    private ConnectionsCommand() {}

    @Override
    public Integer call() throws Exception {
        require(connections >= 1 && connections <= MOST, "--connections must be 1 to " + MOST + ", not " + connections);
        require(rounds >= 1, "--rounds must be 1 or more, not " + rounds);
        require(json == null || Files.isDirectory(json.toAbsolutePath().getParent()), "there is no folder for " + json);
        if (!Files.isDirectory(Path.of("/proc/self"))) {
            throw new IOException("this reads /proc, so it needs Linux");
        }
        TerminalProgress progress = TerminalProgress.here();
        progress.noteLoad();
        List<Round> measured = new ConnectionsRun(connections, rounds, ConnectionsRun.Timing.FULL, progress).measure();
        ConnectionsReport report = new ConnectionsReport(connections, measured);
        System.out.print(report.text());
        if (json != null) {
            OutputFile.write(json, report.json());
            System.out.println("wrote " + json);
        }
        return 0;
    }

    private void require(boolean right, String otherwise) {
        if (!right) {
            throw new ParameterException(spec.commandLine(), otherwise);
        }
    }
}
