package io.verbena.lab.peers;

import io.verbena.lab.peers.Peer.Ready;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/// An unmodified C program, in the network namespace that has the kernel's devices. Closing it kills it.
final class CProgram implements AutoCloseable {
    private static final long POLL_MILLIS = 50;
    private static final Duration JOIN = Duration.ofSeconds(2);
    /// State and port of a listening socket in the kernel's table.
    private static final String LISTEN = " 00000000:0000 0A ";

    private static final String LISTEN_6 = " 00000000000000000000000000000000:0000 0A ";

    private final Process process;
    private final Path log;

    CProgram(List<String> words) {
        try {
            log = Files.createTempFile("c-program", ".log");
            process = new ProcessBuilder(inFirst(words))
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<String> inFirst(List<String> words) {
        List<String> all = new ArrayList<>(List.of("nsenter", "--net=/run/netns/first"));
        all.addAll(words);
        return all;
    }

    /// Waits until the server is ready; false when it was not in that time.
    boolean awaitReady(Ready how, int port, Duration limit) throws InterruptedException {
        if (how == Ready.GROUP) {
            Thread.sleep(JOIN);
            return process.isAlive();
        }
        long end = System.nanoTime() + limit.toNanos();
        while (!isReady(how, port)) {
            if (!process.isAlive() || System.nanoTime() > end) {
                return false;
            }
            Thread.sleep(POLL_MILLIS);
        }
        return true;
    }

    /// Waits until a TCP port listens in the namespace of the C programs.
    static boolean awaitListening(int port, Duration limit) throws InterruptedException, IOException {
        long end = System.nanoTime() + limit.toNanos();
        while (!isTcpListening(port)) {
            if (System.nanoTime() > end) {
                return false;
            }
            Thread.sleep(POLL_MILLIS);
        }
        return true;
    }

    private boolean isReady(Ready how, int port) throws InterruptedException {
        try {
            return how == Ready.TCP ? isTcpListening(port) : isIdListening();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The first process of the guest is in the namespace of the C programs.
    private static boolean isTcpListening(int port) throws IOException {
        String hex = ":%04X".formatted(port);
        return Files.readString(Path.of("/proc/1/net/tcp")).contains(hex + LISTEN)
                || Files.readString(Path.of("/proc/1/net/tcp6")).contains(hex + LISTEN_6);
    }

    private boolean isIdListening() throws IOException, InterruptedException {
        Process list = new ProcessBuilder(inFirst(List.of("rdma", "resource", "show", "cm_id")))
                .redirectErrorStream(true)
                .start();
        String ids = new String(list.getInputStream().readAllBytes());
        list.waitFor();
        String own = " pid %d ".formatted(process.pid());
        return ids.lines()
                .map(line -> line.toLowerCase(Locale.ROOT))
                .anyMatch(line -> line.contains(own) && line.contains("state listen"));
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /// The exit code, or -1 when the program did not end in that time.
    int await(Duration limit) throws InterruptedException {
        return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS) ? process.exitValue() : -1;
    }

    /// Whether rping's client failed at its end. It closes its event channel while its own thread still waits there.
    /// When that thread notices first, it ends the program with an error, although all pings are done and it has
    /// disconnected.
    boolean lostTheRaceToItsEnd() {
        return output().strip().equals("client DISCONNECT EVENT...\nrdma_get_cm_event: Bad file descriptor");
    }

    String output() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
