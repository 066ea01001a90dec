package io.verbena.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// The help of every command has all its parts.
class HelpTest {
    private static final int WIDEST = 100;
    private static final Pattern WORD = Pattern.compile("'[^']*'|\\S+");

    private final CommandLine verbena = Main.commandLine();

    private Stream<DynamicTest> forEachCommand(Consumer<CommandLine> check) {
        List<CommandLine> all = new ArrayList<>();
        collect(verbena, all);
        return all.stream()
                .map(command ->
                        DynamicTest.dynamicTest(command.getCommandSpec().qualifiedName(), () -> check.accept(command)));
    }

    private static void collect(CommandLine command, List<CommandLine> all) {
        CommandSpec spec = command.getCommandSpec();
        if (spec.usageMessage().hidden() || spec.userObject() instanceof CommandLine.HelpCommand) {
            return;
        }
        all.add(command);
        command.getSubcommands().values().stream().distinct().forEach(sub -> collect(sub, all));
    }

    private static List<String> footer(CommandLine command) {
        return List.of(command.getCommandSpec().usageMessage().footer());
    }

    @TestFactory
    Stream<DynamicTest> shouldExplainEveryCommand() {
        return forEachCommand(command -> {
            CommandSpec spec = command.getCommandSpec();
            assertTrue(command.getUsageMessage().startsWith("Usage: " + spec.qualifiedName()));
            assertTrue(spec.usageMessage().description().length > 0, "no description");
            for (OptionSpec option : spec.options()) {
                assertTrue(option.hidden() || option.description().length > 0, option.longestName());
            }
            spec.positionalParameters()
                    .forEach(parameter -> assertTrue(parameter.description().length > 0, parameter.paramLabel()));
        });
    }

    @TestFactory
    Stream<DynamicTest> shouldEndWithExamplesAndExitCodes() {
        return forEachCommand(command -> {
            String footer = String.join("\n", footer(command));
            assertTrue(footer.contains("Examples:\n  "), "no examples: " + footer);
            assertTrue(Pattern.compile("\\b[Ee]xit codes?[: ]").matcher(footer).find(), "no exit codes: " + footer);
        });
    }

    /// Wider examples would be wrapped in the wrong place.
    @TestFactory
    Stream<DynamicTest> shouldFitAHundredColumns() {
        return forEachCommand(command -> {
            for (String line : footer(command)) {
                assertTrue(line.length() <= WIDEST, line.length() + " columns: " + line);
            }
            String help = command.getUsageMessage();
            assertTrue(help.lines().allMatch(line -> line.length() <= WIDEST), help);
            assertFalse(help.contains("%%"), help);
        });
    }

    /// The examples are commands that exist, with options they have.
    @TestFactory
    Stream<DynamicTest> shouldShowExamplesThatCanBeTyped() {
        return forEachCommand(command -> {
            for (String line : footer(command)) {
                if (line.startsWith("  verbena ")) {
                    String example = line.strip().split(" {2,}")[0].replace("%%", "%");
                    String[] words = WORD.matcher(example)
                            .results()
                            .map(MatchResult::group)
                            .skip(1)
                            .toArray(String[]::new);
                    verbena.parseArgs(words);
                }
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> shouldRefuseUnknownOptionsInOneLine() {
        return forEachCommand(command -> {
            CommandSpec spec = command.getCommandSpec();
            List<String> words = new ArrayList<>(List.of(spec.qualifiedName(" ").split(" ")));
            words.removeFirst();
            spec.options().stream()
                    .filter(OptionSpec::required)
                    .forEach(option -> words.addAll(List.of(option.longestName(), "1")));
            spec.positionalParameters().stream()
                    .filter(parameter -> parameter.required())
                    .forEach(parameter -> words.add("1"));
            words.add("--no-such-option");
            StringWriter err = new StringWriter();
            int exitCode = verbena.setErr(new PrintWriter(err, true)).execute(words.toArray(String[]::new));
            List<String> lines = err.toString().lines().toList();
            assertEquals(2, exitCode, err.toString());
            assertTrue(lines.getFirst().startsWith("verbena: "), err.toString());
            assertTrue(lines.getFirst().contains("--no-such-option"), err.toString());
            // and where the help is
            assertEquals(List.of("Try '" + spec.qualifiedName() + " --help'."), lines.subList(1, lines.size()));
        });
    }

    @Test
    void shouldSayWhatWasPerhapsMeant() {
        var run = CommandRun.of("devices", "--verbos");
        assertEquals(2, run.exitCode());
        assertTrue(run.err().lines().findFirst().orElseThrow().contains("did you mean --verbose"), run.err());
        assertEquals(2, run.err().lines().count(), run.err());
        String unknown = CommandRun.of("devces").err();
        assertTrue(unknown.startsWith("verbena: unknown command 'devces'; did you mean "), unknown);
        assertTrue(unknown.contains(" devices"), unknown);
        String ofLauncher = CommandRun.of("bnech").err();
        assertTrue(ofLauncher.startsWith("verbena: unknown command 'bnech'; did you mean bench"), ofLauncher);
        String elsewhere = CommandRun.of("bench").err().lines().findFirst().orElseThrow();
        assertEquals("verbena: unknown command 'bench'; only ./verbena of a source tree has it", elsewhere);
    }

    @Test
    void shouldTellOfEveryCommandOfTheLauncherInOneLine() throws IOException {
        Set<String> commands = Pattern.compile("(?m)^#   \\./verbena ([a-z]+)")
                .matcher(DocumentsTest.read("verbena"))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(commands, new TreeSet<>(LauncherCommands.ALL), "the comment in ./verbena, and its commands");
        String help = CommandRun.of("--help").out();
        for (String command : commands) {
            assertTrue(
                    Pattern.compile("(?m)^  " + command + " +[A-Z].*\\.$")
                            .matcher(help)
                            .find(),
                    command + " in\n" + help);
        }
        assertFalse(CommandRun.of("help", "ping").out().contains("./verbena"), "only where all commands are listed");
    }
}
