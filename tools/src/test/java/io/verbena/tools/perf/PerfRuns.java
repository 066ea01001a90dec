package io.verbena.tools.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.BackgroundCommand;
import io.verbena.tools.CommandRun;
import io.verbena.tools.LoopbackAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A server in this process, and clients that measure with it.
final class PerfRuns implements AutoCloseable {
    private static final Pattern LISTENS = Pattern.compile("server listens on \\S+ port (\\d+)");

    private final String address = LoopbackAddress.any();
    private final BackgroundCommand server;
    private final String port;

    PerfRuns(String... options) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of("perf", "-p", "0", "--device", address));
        command.addAll(List.of(options));
        server = BackgroundCommand.start(command.toArray(String[]::new)).awaitText("server listens");
        port = portOf(server.out());
    }

    static String portOf(String output) {
        Matcher listens = LISTENS.matcher(output);
        assertTrue(listens.find(), output);
        return listens.group(1);
    }

    String address() {
        return address;
    }

    int port() {
        return Integer.parseInt(port);
    }

    BackgroundCommand server() {
        return server;
    }

    /// The arguments of a client of this server.
    String[] client(String test, String... options) {
        List<String> command =
                new ArrayList<>(List.of("perf", test, address, "-p", port, "--timeout", "20", "--warm-up", "0.05"));
        command.addAll(List.of(options));
        return command.toArray(String[]::new);
    }

    CommandRun run(String test, String... options) {
        String[] all = client(test, options);
        return CommandRun.of(all[0], List.of(all).subList(1, all.length).toArray(String[]::new));
    }

    /// The rows of perftest's table: size and number of messages.
    static void assertMeasured(CommandRun run, int size, long messages) {
        assertEquals(0, run.exitCode(), run.out() + run.err());
        assertEquals("", run.err());
        Pattern row = Pattern.compile("(?m)^ " + size + "\\s+" + messages + "\\s+[0-9.]+\\s");
        assertTrue(row.matcher(run.out()).find(), () -> "no row of " + size + " bytes: " + run.out());
    }

    @Override
    public void close() {
        server.close();
    }
}
