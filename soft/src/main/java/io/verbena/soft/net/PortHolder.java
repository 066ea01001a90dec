package io.verbena.soft.net;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The process that has a socket open, as far as the system shows it to this user. Finding it takes milliseconds: for
/// errors only.
///
/// - `pid`: 0 when it is not known
/// - `program`: what it runs, in a few words
record PortHolder(long pid, String program) {
    static final PortHolder UNKNOWN = new PortHolder(0, "");

    private static final int MOST_CHARACTERS = 60;

    boolean isKnown() {
        return pid != 0;
    }

    /// `process 4711 (io.verbena.tools.Main ping)`, or what it may be.
    String text() {
        if (!isKnown()) {
            return "another Verbena process or program";
        }
        return pid == ProcessHandle.current().pid() ? "this process" : "process " + pid + " (" + program + ")";
    }

    /// Reads `proc` under `root`.
    ///
    /// @param inode the number of the socket
    static PortHolder find(String inode, Path root) {
        String wanted = "socket:[" + inode + "]";
        try (Stream<Path> processes = Files.list(root.resolve("proc"))) {
            return processes
                    .filter(process -> process.getFileName().toString().matches("[1-9]\\d*"))
                    .filter(process -> hasOpen(process, wanted))
                    .findFirst()
                    .map(process ->
                            new PortHolder(Long.parseLong(process.getFileName().toString()), program(process)))
                    .orElse(UNKNOWN);
        } catch (IOException | UncheckedIOException absent) {
            return UNKNOWN;
        }
    }

    private static boolean hasOpen(Path process, String wanted) {
        try (Stream<Path> descriptors = Files.list(process.resolve("fd"))) {
            return descriptors.anyMatch(descriptor -> target(descriptor).equals(wanted));
        } catch (IOException | UncheckedIOException ofAnotherUser) {
            return false;
        }
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException | UnsupportedOperationException gone) {
            return "";
        }
    }

    /// Of a Java program the main class, archive or source file and its arguments; of others the name.
    private static String program(Path process) {
        List<String> words = List.of(read(process.resolve("cmdline")).split("\0"));
        for (int i = 1; i < words.size(); i++) {
            String rest = String.join(" ", words.subList(i, words.size()));
            switch (words.get(i - 1)) {
                case "-m", "--module" -> {
                    return shortened(rest.replaceFirst("^[\\w.]+/", "")); // the class without its module
                }
                case "-jar" -> {
                    return shortened(rest);
                }
                default -> {
                    if (words.get(i).endsWith(".java")) {
                        return shortened(rest);
                    }
                }
            }
        }
        return read(process.resolve("comm")).strip();
    }

    private static String shortened(String text) {
        return text.length() > MOST_CHARACTERS ? text.substring(0, MOST_CHARACTERS) + " ..." : text;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException | UncheckedIOException gone) {
            return "";
        }
    }
}
