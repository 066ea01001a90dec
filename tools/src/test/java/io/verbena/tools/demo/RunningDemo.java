package io.verbena.tools.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// The demo in a process of its own, with its two children.
final class RunningDemo implements AutoCloseable {
    private final Process process;
    private final BufferedReader reader;
    private final StringBuilder output = new StringBuilder();
    private final List<ProcessHandle> children = new ArrayList<>();
    private String lastLine = "";

    private RunningDemo(Process process) {
        this.process = process;
        this.reader = process.inputReader();
    }

    static RunningDemo start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(JvmCommand.build(List.of()));
        command.add("demo");
        command.addAll(List.of(arguments));
        return new RunningDemo(
                new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    /// Reads on until a line contains the text; by then both children run.
    void readUntil(String text) throws IOException {
        do {
            assertTrue(readLine(), () -> "the demo ended: " + output);
        } while (!lastLine.contains(text));
        process.children().forEach(children::add);
        assertEquals(2, children.size());
    }

    private boolean readLine() throws IOException {
        String line = reader.readLine();
        if (line != null) {
            lastLine = line;
            output.append(line).append('\n');
        }
        return line != null;
    }

    int awaitExit() throws IOException, InterruptedException {
        while (readLine()) {
            // only for the last of them
        }
        return process.waitFor();
    }

    ProcessHandle child(String role) {
        return children.stream()
                .filter(p ->
                        Stream.of(p.info().arguments().orElse(new String[0])).anyMatch(role::equals))
                .findFirst()
                .orElseThrow();
    }

    /// As Ctrl-C does, or at once.
    void end(boolean forcibly) throws InterruptedException {
        if (forcibly) {
            process.destroyForcibly();
        } else {
            process.destroy();
        }
        assertTrue(process.waitFor(10, TimeUnit.SECONDS));
    }

    void awaitNoChildren() throws InterruptedException {
        long start = System.nanoTime();
        while (children.stream().anyMatch(ProcessHandle::isAlive)) {
            assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(10), "children live on");
            Thread.sleep(10);
        }
    }

    String lastLine() {
        return lastLine;
    }

    String output() {
        return output.toString();
    }

    @Override
    public void close() {
        children.forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
