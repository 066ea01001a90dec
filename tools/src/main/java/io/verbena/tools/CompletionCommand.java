package io.verbena.tools;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// Prints a shell script that completes commands and options. The script contains all of them: pressing TAB starts no
/// Java.
@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        description = {
            "Prints a script for bash and zsh that completes commands and options of verbena.",
            "It works for verbena, ./verbena and any other path to it."
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

    /// After `run` comes a file, which picocli does not know of.
    private static final String RUN = """
              if [ "${COMP_WORDS[1]}" = run ]; then
                COMPREPLY=( $(compgen -f -X '!*.java' -- "${COMP_WORDS[COMP_CWORD]}"; compgen -d -- "${COMP_WORDS[COMP_CWORD]}") )
                return 0
              fi
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
        String entry = "function _complete_" + NAME + "() {\n";
        int start = position(body, entry, 0) + entry.length();
        body = body.substring(0, start) + RUN + body.substring(start);
        top += RUN.length();
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
