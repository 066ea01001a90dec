package io.verbena.tools.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// A running child process: its reports go to the inbox, its other output goes to `err` with its name in front.
final class ChildProcess implements AutoCloseable {
    private final String name;
    private final Process process;

    private ChildProcess(String name, Process process) {
        this.name = name;
        this.process = process;
    }

    static ChildProcess start(String name, List<String> command, BlockingQueue<Message> inbox, PrintWriter err)
            throws IOException {
        Process process = new ProcessBuilder(command).start();
        var child = new ChildProcess(name, process);
        Consumer<String> print = line -> err.println(name + ": " + line);
        child.startThread(() -> child.read(process.getErrorStream(), print));
        child.startThread(() -> {
            child.read(
                    process.getInputStream(),
                    line -> Message.parse(name, line).ifPresentOrElse(inbox::add, () -> print.accept(line)));
            // all reports of the child have been read, so its exit is the last message
            String exitCode = String.valueOf(child.awaitExit());
            inbox.add(new Message(name, Report.Kind.EXITED, List.of(exitCode)));
        });
        return child;
    }

    private void startThread(Runnable work) {
        Thread.ofPlatform().daemon().name(name + " output").start(work);
    }

    private void read(InputStream in, Consumer<String> consumer) {
        try (var reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            reader.lines().forEach(consumer);
        } catch (IOException | UncheckedIOException ignored) {
            // the process is gone; its exit is reported elsewhere
        }
    }

    private int awaitExit() {
        while (true) {
            try {
                return process.waitFor();
            } catch (InterruptedException ignored) {
                // nobody interrupts this thread
            }
        }
    }

    void tell(String line) throws IOException {
        var in = process.outputWriter(StandardCharsets.UTF_8);
        in.write(line + "\n");
        in.flush();
    }

    /// Ends the process, by itself if it is about to end anyway.
    @Override
    public void close() {
        boolean ended = false;
        try {
            ended = process.waitFor(10, TimeUnit.MILLISECONDS);
            if (!ended) {
                process.destroyForcibly().waitFor(2, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
