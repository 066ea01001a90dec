package io.verbena.tools;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// Prints what a shell needs to complete commands and options. The script knows all of them itself: pressing
/// TAB starts no Java.
@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        description = {
            "Prints a script that lets bash and zsh complete commands and options of verbena.",
            "It does so whether that is called as verbena, ./verbena or by another path."
        },
        footer = {
            "",
            "Examples:",
            "  source <(./verbena completion)           bash, in this shell only",
            "  ./verbena completion > ~/.local/share/bash-completion/completions/verbena",
            "                                           bash with bash-completion, from now on",
            "  ./verbena completion > ~/.verbena-completion && echo '. ~/.verbena-completion' >> ~/.zshrc",
            "                                           zsh (or ~/.bashrc for bash), from now on",
            "",
            "Exit code 0. Print it again after an update."
        })
final class CompletionCommand implements Runnable {
    private static final String NAME = "verbena";

    private static final String HEADER = """
            # Completion of verbena for bash and zsh; printed by `verbena completion`, whose --help tells how to load it.
            # Generated with picocli (https://picocli.info).
            """;

    @Spec
    private CommandSpec spec;

    CompletionCommand() {}

    @Override
    public void run() {
        var out = spec.commandLine().getOut();
        out.print(script());
        out.flush();
    }

    private String script() {
        String generated = AutoComplete.bash(NAME, spec.root().commandLine());
        String body = generated.substring(position(generated, "\nif [ -n \"$BASH_VERSION\" ]", 0));
        String commands = "local commands=\"";
        int top = position(body, commands, position(body, "function _picocli_" + NAME + "() {", 0)) + commands.length();
        return HEADER + body.substring(0, top) + String.join(" ", LauncherCommands.ALL) + " " + body.substring(top);
    }

    private static int position(String text, String part, int from) {
        int position = text.indexOf(part, from);
        if (position < 0) {
            throw new IllegalStateException("picocli generates other scripts than it did: no '" + part.strip() + "'");
        }
        return position;
    }
}
