package io.verbena.bench.peer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/// TCP ports of servers that take only one client: connecting to see whether they listen would use it up.
final class Ports {
    private static final List<String> TABLES = List.of("tcp", "tcp6");
    private static final String LISTEN = "0A";
    private static final long PAUSE_MS = 5;
    /// Pause on systems without a table of sockets.
    private static final long BLIND_PAUSE_MS = 300;

    private Ports() {}

    /// A port that is not in use.
    static int free() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /// Waits until a server listens on the port; false when none did in time.
    static boolean awaitListener(int port, Duration limit) throws IOException, InterruptedException {
        return awaitListener(Path.of("/proc/net"), port, limit);
    }

    /// As [#awaitListener(int, Duration)], in the network namespace of a process.
    static boolean awaitListener(long pid, int port, Duration limit) throws IOException, InterruptedException {
        return awaitListener(Path.of("/proc", Long.toString(pid), "net"), port, limit);
    }

    private static boolean awaitListener(Path folder, int port, Duration limit)
            throws IOException, InterruptedException {
        if (TABLES.stream().map(folder::resolve).noneMatch(Files::isReadable)) {
            Thread.sleep(BLIND_PAUSE_MS);
            return true;
        }
        long end = System.nanoTime() + limit.toNanos();
        while (!isListening(folder, port)) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            Thread.sleep(PAUSE_MS);
        }
        return true;
    }

    private static boolean isListening(Path folder, int port) throws IOException {
        for (String name : TABLES) {
            Path table = folder.resolve(name);
            if (Files.isReadable(table)
                    && Files.readAllLines(table).stream().anyMatch(line -> isListener(line, port))) {
                return true;
            }
        }
        return false;
    }

    /// Parses a line like `0: 0100007F:4624 00000000:0000 0A ...`.
    static boolean isListener(String line, int port) {
        String[] words = line.trim().split(" +");
        return words.length > 3
                && words[3].equals(LISTEN)
                && words[1].endsWith(String.format(Locale.ROOT, ":%04X", port));
    }
}
