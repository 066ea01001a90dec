package io.verbena.tools.program;

import io.verbena.tools.text.AddressText;
import io.verbena.tools.text.Json;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.Map;

/// What a program prints: lines for people, or with `--json` one object per result and nothing else. Trouble goes to
/// standard error. Safe from any thread; every line is flushed, so that a pipe's reader sees it at once.
public final class Output {
    private final String program;
    private final PrintWriter out;
    private final PrintWriter err;
    private final boolean json;

    public Output(String program, PrintWriter out, PrintWriter err, boolean json) {
        this.program = program;
        this.out = out;
        this.err = err;
        this.json = json;
    }

    /// Whether a program reads the output.
    public boolean isJson() {
        return json;
    }

    /// A line for people.
    public synchronized void say(String line) {
        if (!json) {
            print(out, line);
        }
    }

    /// Where a server listens: also with `--json`, on standard error, because the port may be one that was picked.
    public synchronized void listens(InetSocketAddress local) {
        String line = "server listens on " + AddressText.of(local.getAddress()) + " port " + local.getPort();
        print(json ? err : out, line);
    }

    /// A line for people, with values in it.
    public void say(String format, Object... values) {
        if (!json) {
            say(String.format(Locale.ROOT, format, values));
        }
    }

    /// A result for programs; not printed without `--json`.
    public synchronized void result(Map<String, Object> result) {
        if (json) {
            print(out, Json.write(result));
        }
    }

    /// One client's trouble, which does not end a server of many.
    public synchronized void trouble(String line) {
        print(err, program + ": " + line);
    }

    /// What people should know meanwhile, and no reader of the result.
    synchronized void note(String line) {
        print(err, "verbena: " + line);
    }

    /// The stream for what is neither result nor trouble: traces and progress.
    public PrintWriter err() {
        return err;
    }

    private static void print(PrintWriter writer, String line) {
        writer.println(line);
        writer.flush();
    }
}
