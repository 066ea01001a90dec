package io.verbena.tools;

import io.verbena.report.OutputException;
import io.verbena.tools.blast.BlastCommand;
import io.verbena.tools.copy.CopyCommand;
import io.verbena.tools.demo.DemoCommand;
import io.verbena.tools.demo.DemoPeer;
import io.verbena.tools.device.SoftPath;
import io.verbena.tools.doctor.DoctorCommand;
import io.verbena.tools.echo.EchoCommand;
import io.verbena.tools.exchange.ExchangeCommand;
import io.verbena.tools.perf.PerfCommand;
import io.verbena.tools.ping.PingCommand;
import io.verbena.tools.pingpong.PingPongCommand;
import io.verbena.tools.rping.RpingCommand;
import io.verbena.tools.sequence.SequenceCommand;
import io.verbena.tools.text.StandardOutput;
import io.verbena.tools.top.TopCommand;
import io.verbena.tools.view.ViewCommand;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/// The entry point of the command line: one sub-command per program.
///
/// Exit codes: 0 done, 1 failed, 2 wrong usage. Output that cannot be written is a failure, without a message when the
/// reader of a pipe left. Errors are one line on standard error; `--stacktrace` or the variable `VERBENA_STACKTRACE=1`
/// adds the stack trace. With `--json` the error is also printed as JSON: [FailureAsJson].
@Command(
        name = "verbena",
        description = "RDMA for Java: programs to learn and work with.",
        versionProvider = Version.class,
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Examples:",
            "  verbena demo                     what RDMA does, step by step",
            "  verbena devices                  the devices of this machine",
            "  verbena ping                     serve pings; in another shell: verbena ping 127.0.0.1",
            "  verbena help ping                the help of a command, as verbena ping --help",
            "",
            "Exit codes: 0 done, 1 failed, 2 wrong usage. With --json a failure is JSON, too: ok is false,",
            "and error says why. What cannot be written is a failure; when the reader of a pipe leaves (| head),",
            "a command ends without a word."
        },
        subcommands = {
            // one line per program, in the order the help shows them
            DemoCommand.class,
            DevicesCommand.class,
            DoctorCommand.class,
            PingCommand.class,
            BlastCommand.class,
            CopyCommand.class,
            ExchangeCommand.class,
            RpingCommand.class,
            PerfCommand.class,
            PingPongCommand.class,
            EchoCommand.class,
            SequenceCommand.class,
            ViewCommand.class,
            TopCommand.class,
            CompletionCommand.class,
            DemoPeer.class,
            CommandLine.HelpCommand.class,
        })
public final class Main implements Runnable {
    static final int DONE = 0;
    static final int FAILED = 1;
    static final int WRONG_USAGE = 2;

    private static final Pattern CONSTANTS =
            Pattern.compile("(expected one of \\[[A-Z0-9_, ]+\\]) \\(case-insensitive\\)");

    /// Width of the help when that of the terminal is unknown.
    private static final int HELP_COLUMNS = 100;

    @Option(names = "--stacktrace", scope = ScopeType.INHERIT, description = "Show the stack trace of an error.")
    private boolean stacktrace;

    @Spec
    private CommandSpec spec;

    private final FailureAsJson json = new FailureAsJson();

    private Main() {}

    /// Runs the command line and ends the process with its exit code.
    public static void main(String[] args) {
        System.exit(commandLine().setOut(StandardOutput.open()).execute(args));
    }

    /// Runs one command line in this process and returns its exit code: for programs that run several in a row.
    public static int run(PrintWriter out, PrintWriter err, String... args) {
        return commandLine().setOut(out).setErr(err).execute(args);
    }

    static CommandLine commandLine() {
        var main = new Main();
        var line = new CommandLine(main);
        line.getHelpSectionMap()
                .computeIfPresent(
                        UsageMessageSpec.SECTION_KEY_COMMAND_LIST,
                        (key, commands) -> help -> commands.render(help) + LauncherCommands.help());
        return line.setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpWidth(HELP_COLUMNS)
                .setUsageHelpAutoWidth(true)
                .setExecutionStrategy(main::execute)
                .setParameterExceptionHandler((error, args) -> main.onWrongUsage(error, List.of(args)))
                .setExecutionExceptionHandler(
                        (error, command, parsed) -> main.onFailure(error, command, parsed.originalArgs()));
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    private int execute(ParseResult parsed) {
        CommandLine root = parsed.commandSpec().commandLine();
        json.watch(root);
        try {
            int code = SoftPath.during(() -> new RunLast().execute(parsed));
            root.getOut().flush();
            return code;
        } catch (OutputException e) {
            throw new ExecutionException(root, e.getMessage(), e);
        }
    }

    private int onWrongUsage(ParameterException error, List<String> arguments) {
        var command = error.getCommandLine();
        var err = command.getErr();
        String message = usageError(error) + suggestions(error);
        json.print(command, arguments, message);
        err.println("verbena: " + message);
        err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        return WRONG_USAGE;
    }

    private static String usageError(ParameterException error) {
        boolean atTop = error.getCommandLine().getParent() == null;
        if (atTop
                && error instanceof CommandLine.UnmatchedArgumentException unmatched
                && !unmatched.isUnknownOption()) {
            String word = unmatched.getUnmatched().getFirst();
            return "unknown command '" + word + "'"
                    + (LauncherCommands.ALL.contains(word) ? "; only ./verbena of a source tree has it" : "");
        }
        return valuesAsInHelp(error);
    }

    /// Constant names in lower case, where the help writes them so.
    private static String valuesAsInHelp(ParameterException error) {
        String message = oneLine(error)
                .replaceFirst(" is not an? (byte|short|int|long)$", " is not a whole number")
                .replaceFirst(" is not a (float|double)$", " is not a number")
                .replaceFirst("^Unmatched arguments? (at|from) index \\d+:", "unexpected argument:");
        boolean lower = error.getArgSpec() != null
                && error.getArgSpec()
                        .paramLabel()
                        .equals(error.getArgSpec().paramLabel().toLowerCase(Locale.ROOT));
        return lower
                ? CONSTANTS.matcher(message).replaceAll(found -> found.group(1).toLowerCase(Locale.ROOT))
                : message;
    }

    private static String suggestions(ParameterException error) {
        if (!(error instanceof CommandLine.UnmatchedArgumentException unmatched)) {
            return "";
        }
        String word = unmatched.getUnmatched().getFirst();
        boolean command = error.getCommandLine().getParent() == null && !unmatched.isUnknownOption();
        if (command && LauncherCommands.ALL.contains(word)) {
            return "";
        }
        List<String> similar = new ArrayList<>(command ? LauncherCommands.similarTo(word) : List.of());
        similar.addAll(unmatched.getSuggestions());
        return similar.isEmpty() ? "" : "; did you mean " + String.join(" or ", similar) + "?";
    }

    private int onFailure(Exception error, CommandLine command, List<String> arguments) {
        if (error instanceof OutputException output && output.isReaderGone()) {
            return FAILED; // a reader that left, as `head` does, has what it wants
        }
        json.print(command, arguments, oneLine(error));
        PrintWriter err = command.getErr();
        err.println("verbena: " + oneLine(error));
        if (stacktrace || "1".equals(System.getenv("VERBENA_STACKTRACE"))) {
            error.printStackTrace(err);
        }
        return FAILED;
    }

    private static String oneLine(Exception error) {
        String message = error.getMessage();
        if (message == null || message.isBlank()) {
            return error.getClass().getSimpleName();
        }
        return message.strip().replaceAll("\\s*\\R\\s*", "; ");
    }
}
