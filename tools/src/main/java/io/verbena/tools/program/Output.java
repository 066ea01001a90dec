package io.verbena.tools.program;

import io.verbena.report.Json;
import io.verbena.tools.text.AddressText;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.Map;

/// The output of a program: lines for people, or with `--json` one object per result and nothing else. Errors go to
/// standard error. Thread-safe; every line is flushed, so that the reader of a pipe sees it at once.
public class Output {
    private final String program;
    private final PrintWriter out;
    private final PrintWriter err;
    private final boolean json;
    private String noted;

    public Output(String program, PrintWriter out, PrintWriter err, boolean json) {
        this.program = program;
        this.out = out;
        this.err = err;
        this.json = json;
    }

    /// Whether the output is for programs.
    public boolean isJson() {
        return json;
    }

    /// Prints a line for people.
    public synchronized void say(String line) {
        if (!json) {
            print(out, line);
        }
    }

    /// Prints where a server listens. With `--json` it goes to standard error, because the port may have been picked.
    public synchronized void listens(InetSocketAddress local) {
        String line = "server listens on " + AddressText.of(local.getAddress()) + " port " + local.getPort();
        print(json ? err : out, line);
    }

    /// Prints a formatted line for people.
    public void say(String format, Object... values) {
        if (!json) {
            say(String.format(Locale.ROOT, format, values));
        }
    }

    /// Prints a result for programs, only with `--json`.
    public synchronized void result(Map<String, Object> result) {
        if (json) {
            print(out, Json.write(result));
        }
    }

    /// Prints the error of one client, which does not end a server of many.
    public synchronized void trouble(String line) {
        print(err, program + ": " + line);
    }

    /// Prints a note for people to standard error.
    synchronized void note(String line) {
        if (!line.equals(noted)) {
            noted = line; // the same note is printed once
            print(err, "verbena: " + line);
        }
    }

    /// Standard error, for traces and progress.
    public PrintWriter err() {
        return err;
    }

    private static void print(PrintWriter writer, String line) {
        writer.println(line);
        writer.flush();
    }
}
