package io.verbena.tools;

import io.verbena.tools.text.Json;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.List;
import picocli.CommandLine;

/// Whoever reads the output of `--json` finds an object there also when a command fails: `ok` is false, and `error`
/// says why in one line. A command that has more to tell of such a run prints an object of its own, in which these
/// two are as well.
final class FailureAsJson {
    private static final String JSON = "--json";
    /// Where `--json` takes a file: standard output.
    private static final String OUTPUT = "-";

    private Watched output;

    /// From now on notes whether a command prints something.
    void watch(CommandLine root) {
        output = new Watched(root.getOut());
        root.setOut(new PrintWriter(output, true));
    }

    /// Prints the object, where JSON was asked for and the command printed nothing.
    void print(CommandLine command, List<String> arguments, String error) {
        boolean isPrinted = output != null && output.used;
        if (!isPrinted && isWanted(command, arguments)) {
            PrintWriter out = command.getOut();
            out.println(Json.write(Json.object("ok", false, "error", error)));
            out.flush();
        }
    }

    /// From the words as they were typed: of wrong usage there may be nothing else.
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

    /// Passes everything on.
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
