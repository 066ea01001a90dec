package io.verbena.applications;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A program in a JVM of its own: its output is kept, every wait has a deadline, and closing ends it.
public final class Jvm implements AutoCloseable {
    private static final Duration END = Duration.ofSeconds(20);
    private static final int LINES_IN_ERROR = 60;

    private final String name;
    private final Process process;
    private final Path log;
    private final Thread reader;
    private final List<String> lines = new ArrayList<>();
    private boolean ended;

    private Jvm(String name, Process process, Path log) {
        this.name = name;
        this.log = log;
        this.process = process;
        this.reader = Thread.ofPlatform().daemon().name("output of " + name).start(this::read);
    }

    /// Makes a command line of `java`.
    public static Command command(String main, String... arguments) {
        return new Command(main, List.of(arguments));
    }

    private void read() {
        try (BufferedReader output = process.inputReader();
                Writer copy = log == null ? Writer.nullWriter() : Files.newBufferedWriter(log)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                add(line);
                copy.append(line).append('\n').flush();
            }
        } catch (IOException e) {
            add("(output ended: " + e + ")");
        }
        synchronized (lines) {
            ended = true;
            lines.notifyAll();
        }
    }

    private void add(String line) {
        synchronized (lines) {
            lines.add(line);
            lines.notifyAll();
        }
    }

    /// Waits for a line that has a match of the pattern.
    public Matcher await(String pattern, Duration timeout) throws InterruptedException {
        return await(pattern, 0, timeout);
    }

    /// Waits for a line that has a match of the pattern, from this position on.
    public Matcher await(String pattern, int position, Duration timeout) throws InterruptedException {
        Pattern wanted = Pattern.compile(pattern);
        long deadlineNs = System.nanoTime() + timeout.toNanos();
        synchronized (lines) {
            int seen = position;
            while (true) {
                for (; seen < lines.size(); seen++) {
                    Matcher match = wanted.matcher(lines.get(seen));
                    if (match.find()) {
                        return match;
                    }
                }
                long leftMs = (deadlineNs - System.nanoTime()) / 1_000_000;
                if (ended || leftMs <= 0) {
                    throw new IllegalStateException(name + (ended ? " ended without" : " did not print")
                            + " a line with " + pattern + "\n" + tail());
                }
                lines.wait(leftMs);
            }
        }
    }

    /// Waits until the program has ended by itself with exit code 0.
    public List<String> await(Duration timeout) throws InterruptedException {
        int code = awaitExitCode(timeout);
        if (code != 0) {
            throw new IllegalStateException(name + " ended with exit code " + code + "\n" + tail());
        }
        return lines();
    }

    /// Waits until the program has ended by itself.
    public int awaitExitCode(Duration timeout) throws InterruptedException {
        if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
            String threads = threads();
            close();
            throw new IllegalStateException(name + " did not end within " + timeout + "\n" + tail() + threads);
        }
        reader.join();
        return process.exitValue();
    }

    /// Asks the program to end, as `kill` does, and returns what it has printed, also while ending.
    public List<String> stop() throws InterruptedException {
        process.toHandle().destroy(); // destroy() of the process would close its output, too
        if (!process.waitFor(END.toMillis(), TimeUnit.MILLISECONDS)) {
            String threads = threads();
            close();
            throw new IllegalStateException(name + " did not end when asked to\n" + tail() + threads);
        }
        reader.join();
        return lines();
    }

    /// Gives the program a line of input.
    public void send(String line) throws IOException {
        BufferedWriter input = process.outputWriter();
        input.write(line);
        input.newLine();
        input.flush();
    }

    /// How many lines were printed so far.
    public int position() {
        synchronized (lines) {
            return lines.size();
        }
    }

    /// The lines printed so far.
    public List<String> lines() {
        synchronized (lines) {
            return List.copyOf(lines);
        }
    }

    /// The process, for what else there is to know of it.
    public Process process() {
        return process;
    }

    private String tail() {
        List<String> all = lines();
        return String.join("\n", all.subList(Math.max(0, all.size() - LINES_IN_ERROR), all.size())) + "\n";
    }

    // What the program was doing.
    private String threads() throws InterruptedException {
        Path jstack = Path.of(System.getProperty("java.home"), "bin", "jstack");
        try {
            Process dump = new ProcessBuilder(jstack.toString(), Long.toString(process.pid()))
                    .redirectErrorStream(true)
                    .start();
            String text = new String(dump.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            dump.waitFor();
            return text;
        } catch (IOException e) {
            return "(no threads: " + e + ")";
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /// A command line of `java` in the making.
    public static final class Command {
        private final String main;
        private final List<String> arguments;
        private final List<String> options = new ArrayList<>();
        private String classPath = Libraries.all();
        private String added = "";
        private Path log;

        private Command(String main, List<String> arguments) {
            this.main = main;
            this.arguments = arguments;
            options.add("-Xmx512m");
            options.add("-XX:+UseSerialGC");
            options.add("--enable-native-access=ALL-UNNAMED");
            options.add("--sun-misc-unsafe-memory-access=allow");
            options.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
        }

        /// Chooses the transport.
        public Command over(Transport transport) {
            options.addAll(transport.options());
            added = transport.classPath();
            return this;
        }

        /// Adds options of `java`.
        public Command options(String... more) {
            options.addAll(List.of(more));
            return this;
        }

        /// Replaces the class path.
        public Command classPath(String path) {
            classPath = path;
            return this;
        }

        /// Copies the output into a file while it comes.
        public Command log(Path file) {
            log = file;
            return this;
        }

        /// Starts the program.
        public Jvm start() throws IOException {
            List<String> words = new ArrayList<>();
            words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            words.addAll(options);
            words.add("-cp");
            words.add(added.isEmpty() ? classPath : classPath + ":" + added);
            words.add(main);
            words.addAll(arguments);
            Process process =
                    new ProcessBuilder(words).redirectErrorStream(true).start();
            return new Jvm(main.substring(main.lastIndexOf('.') + 1), process, log);
        }
    }
}
