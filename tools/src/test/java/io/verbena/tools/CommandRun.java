package io.verbena.tools;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;

/// One run of the command line inside the test.
public record CommandRun(int exitCode, String out, String err) {
    public static CommandRun of(String command, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        List<String> all = new ArrayList<>(List.of(command));
        all.addAll(List.of(arguments));
        int exitCode = Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(all.toArray(String[]::new));
        return new CommandRun(exitCode, out.toString(), err.toString());
    }

    public String lastLine() {
        return out.lines().reduce("", (before, line) -> line);
    }
}
