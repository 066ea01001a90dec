package io.verbena.bench.side;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// A process that takes orders as lines on its standard input, and answers with lines on its standard output. It never
/// outlives this JVM: closing it, or the end of this JVM, kills it, and workers in Java end when their standard input
/// does.
public final class Child implements AutoCloseable {
    private static final int KEPT_LINES = 8;
    private static final Duration GRACE = Duration.ofMillis(500);
    private static final Set<Child> ALL = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> ALL.forEach(Child::kill), "bench-children"));
    }

    private final String name;
    private final Process process;
    private final PrintStream input;
    private final BlockingQueue<String> output = new LinkedBlockingQueue<>();
    private final Deque<String> complaints = new ArrayDeque<>();
    private final Thread outputReader;
    private final Thread errorReader;

    private Child(String name, List<String> command, Map<String, String> environment) throws IOException {
        this.name = name;
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        process = builder.start();
        ALL.add(this);
        input = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        outputReader = reader("out", process.getInputStream(), output::add);
        errorReader = reader("err", process.getErrorStream(), this::complained);
    }

    /// Starts any program.
    public static Child command(String name, Map<String, String> environment, List<String> command) throws IOException {
        return new Child(name, command, environment);
    }

    /// Starts a JVM with the class path of this one.
    public static Child java(String name, List<String> options, Class<?> main, List<String> arguments)
            throws IOException {
        return command(name, Map.of(), javaCommand(options, main, arguments));
    }

    /// The command for a JVM of the same Java. The JVM chooses collector and heap, as it does for users without
    /// options.
    public static List<String> javaCommand(List<String> options, Class<?> main, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        return command;
    }

    private Thread reader(String what, InputStream stream, Consumer<String> to) {
        return Thread.ofPlatform().daemon().name(name + " " + what).start(() -> {
            try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    to.accept(line);
                }
            } catch (IOException closed) {
                // the process was killed
            }
        });
    }

    private void complained(String line) {
        synchronized (complaints) {
            complaints.add(line);
            if (complaints.size() > KEPT_LINES) {
                complaints.remove();
            }
        }
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public void send(String line) {
        input.println(line);
    }

    /// The next line of output. Fails when none comes in time, or when the process has ended.
    public String await(Duration limit) throws IOException, InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while (true) {
            String line = output.poll(20, TimeUnit.MILLISECONDS);
            if (line != null) {
                return line;
            }
            if (!process.isAlive() && output.isEmpty()) {
                line = output.poll(50, TimeUnit.MILLISECONDS); // its last lines may not have been read yet
                if (line != null) {
                    return line;
                }
                throw new IOException(name + " ended with code " + process.exitValue() + lastWords());
            }
            if (System.nanoTime() - end > 0) {
                throw new IOException(name + " said nothing for " + limit.toMillis() + " ms" + lastWords());
            }
        }
    }

    /// Waits for a line that begins with `word`, and returns the rest of it. A line `error ...` is a failure.
    public String await(String word, Duration limit) throws IOException, InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while (true) {
            String line = await(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
            if (line.startsWith("error")) {
                throw new IOException(
                        name + ": " + line.substring("error".length()).trim());
            }
            if (line.equals(word) || line.startsWith(word + " ")) {
                return line.substring(word.length()).trim();
            }
        }
    }

    /// Waits for the process to end, and returns the remaining lines of output.
    public List<String> awaitOutput(Duration limit) throws IOException, InterruptedException {
        awaitEnd(limit);
        outputReader.join(GRACE);
        List<String> lines = new ArrayList<>();
        output.drainTo(lines);
        return lines;
    }

    /// Waits for the process to end, and returns its exit code.
    public int awaitEnd(Duration limit) throws IOException, InterruptedException {
        if (!process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new IOException(name + " did not end within " + limit.toMillis() + " ms" + lastWords());
        }
        outputReader.join(GRACE);
        errorReader.join(GRACE);
        ALL.remove(this);
        return process.exitValue();
    }

    /// The lines of output that were not taken yet; all of them after [#awaitEnd].
    public List<String> rest() {
        List<String> lines = new ArrayList<>();
        output.drainTo(lines);
        return lines;
    }

    /// Interrupts the process, as Ctrl-C does.
    public void interrupt() throws IOException, InterruptedException {
        signal("INT");
    }

    /// Java can only terminate a process, so the command `kill` sends other signals, such as `STOP`.
    public void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start().waitFor(5, TimeUnit.SECONDS);
    }

    /// The end of standard error, for messages; empty or with a separator in front.
    public String lastWords() {
        synchronized (complaints) {
            return complaints.isEmpty() ? "" : ": " + String.join(" | ", complaints);
        }
    }

    /// Closes the standard input of the process and waits a moment, then kills it.
    @Override
    public void close() {
        input.close();
        try {
            if (!process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
                kill();
                process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            kill();
            Thread.currentThread().interrupt();
        }
        ALL.remove(this);
    }

    private void kill() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
