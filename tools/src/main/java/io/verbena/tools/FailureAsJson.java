package io.verbena.tools;

import io.verbena.report.Json;
import io.verbena.report.OutputException;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.List;
import picocli.CommandLine;

/// With `--json` the output has an object also when a command fails: `ok` is false, and `error` says why in one line. A
/// command that knows more about the failed run prints an object of its own, which has these two fields, too.
final class FailureAsJson {
    private static final String JSON = "--json";
    /// The value of `--json` that means standard output.
    private static final String OUTPUT = "-";

    private Watched output;

    /// From now on records whether a command prints something.
    void watch(CommandLine root) {
        output = new Watched(root.getOut());
        root.setOut(new PrintWriter(output, true));
    }

    /// Prints the object, if JSON was asked for and the command printed nothing.
    void print(CommandLine command, List<String> arguments, String error) {
        boolean isPrinted = output != null && output.used;
        if (!isPrinted && isWanted(command, arguments)) {
            PrintWriter out = command.getOut();
            try {
                out.println(Json.write(Json.object("ok", false, "error", error)));
                out.flush();
            } catch (OutputException e) {
                command.getErr().println("verbena: " + e.getMessage());
            }
        }
    }

    /// Decides by the words on the command line: after a usage error there may be nothing else.
    private static boolean isWanted(CommandLine command, List<String> arguments) {
        var option = command.getCommandSpec().findOption(JSON);
        if (option == null) {
            return false;
        }
        if (option.arity().max() == 0) {
            return arguments.contains(JSON);
        }
        int at = arguments.indexOf(JSON);
        return arguments.contains(JSON + "=" + OUTPUT)
                || at >= 0 && at + 1 < arguments.size() && arguments.get(at + 1).equals(OUTPUT);
    }

    /// Forwards everything.
    private static final class Watched extends FilterWriter {
        private volatile boolean used;

        Watched(Writer out) {
            super(out);
        }

        @Override
        public void write(int character) throws IOException {
            used = true;
            out.write(character);
        }

        @Override
        public void write(char[] characters, int offset, int length) throws IOException {
            used = true;
            out.write(characters, offset, length);
        }

        @Override
        public void write(String text, int offset, int length) throws IOException {
            used = true;
            out.write(text, offset, length);
        }
    }
}
