package io.verbena.tools;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A program in one file, run from its source in a process of its own, as `./verbena run` does.
record SourceRun(String file, Process process, StringBuffer output, Thread reader) {
    record Ended(int code, String output) {}

    /// `file` as seen from the root of the source tree.
    static SourceRun start(String file, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", // these runs are short
                "-p",
                modulePath(),
                "--add-modules",
                "io.verbena.verbs,io.verbena.soft,io.verbena.endpoint,io.verbena.sockets,io.verbena.tools",
                "--enable-native-access=io.verbena.soft,io.verbena.rdmacore",
                file));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .directory(DocumentsTest.root().toFile())
                .redirectErrorStream(true)
                .start();
        StringBuffer output = new StringBuffer();
        return new SourceRun(file, process, output, Thread.startVirtualThread(() -> read(process, output)));
    }

    /// Modules that programs need and the command line does not are on the class path of the tests.
    private static String modulePath() {
        String classPath = System.getProperty("java.class.path");
        String modules = System.getProperty("jdk.module.path");
        if (modules == null) {
            return classPath;
        }
        List<String> all = new ArrayList<>(List.of(modules.split(File.pathSeparator)));
        for (String entry : classPath.split(File.pathSeparator)) {
            if (entry.contains("endpoint")) {
                all.add(entry);
            }
        }
        return String.join(File.pathSeparator, all);
    }

    private static void read(Process process, StringBuffer output) {
        try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                output.append(line).append('\n');
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Waits until the program has printed `text`.
    void await(String text) throws InterruptedException {
        long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (output.indexOf(text) < 0) {
            assertTrue(
                    process.isAlive() && System.nanoTime() < limit,
                    () -> file + " did not say '" + text + "': " + output);
            Thread.sleep(20);
        }
    }

    Ended end() throws InterruptedException {
        try {
            assertTrue(process.waitFor(100, TimeUnit.SECONDS), () -> file + " does not end: " + output);
            assertTrue(reader.join(Duration.ofSeconds(10)), () -> file + " left its output open");
        } finally {
            process.destroyForcibly();
        }
        return new Ended(process.exitValue(), output.toString());
    }
}
