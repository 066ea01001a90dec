package io.verbena.lab.peers;

import io.verbena.sockets.RdmaSocketChannel;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Prints the state of both ends of a connection on which something did not come, before they are closed: of ours what
/// it waits for and where its threads are; of the C program where the kernel has its threads, and the last bytes of the
/// memory that it has mapped, which tell whether our writes are there; and the counters and queue pairs of the kernel's
/// devices.
final class Stuck {
    private static final Pattern MAP =
            Pattern.compile("map \\d+ of the peer: .* address 0x(\\p{XDigit}+), .* (\\d+) bytes");
    private static final int SHOWN_BYTES = 16;
    private static final int LIMIT_SECONDS = 10;

    private Stuck() {}

    static void print(RdmaSocketChannel channel, CProgram c) {
        String status = channel.status();
        System.out.println("our end: " + status);
        System.out.println("the C program: pid %d, %s".formatted(c.pid(), c.isAlive() ? "alive" : "ended"));
        printMap(status, c.pid());
        for (String file : List.of("status", "wchan", "stack")) {
            printOfThreads(c.pid(), file);
        }
        printCommand("rdma", "statistic", "show");
        printCommand("rdma", "resource", "show", "qp");
        for (Map.Entry<Thread, StackTraceElement[]> of :
                Thread.getAllStackTraces().entrySet()) {
            System.out.println(of.getKey() + " " + of.getKey().getState());
            for (StackTraceElement frame : of.getValue()) {
                System.out.println("    " + frame);
            }
        }
    }

    private static void printMap(String status, long pid) {
        Matcher found = MAP.matcher(status);
        if (!found.find()) {
            return;
        }
        long address = Long.parseUnsignedLong(found.group(1), 16);
        int length = Integer.parseInt(found.group(2));
        int shown = Math.min(length, SHOWN_BYTES);
        byte[] bytes = new byte[shown];
        try (RandomAccessFile memory = new RandomAccessFile("/proc/" + pid + "/mem", "r")) {
            memory.seek(address + length - shown);
            memory.readFully(bytes);
            System.out.println("its map ends with " + HexFormat.of().formatHex(bytes));
        } catch (IOException e) {
            System.out.println("its map cannot be read: " + e.getMessage());
        }
    }

    private static void printOfThreads(long pid, String file) {
        try (var threads = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
            for (Path thread : threads.toList()) {
                System.out.println(thread.resolve(file) + ":");
                System.out.println(Files.readString(thread.resolve(file)));
            }
        } catch (IOException e) {
            System.out.println(file + ": " + e.getMessage());
        }
    }

    private static void printCommand(String... words) {
        try {
            Process process = new ProcessBuilder(CProgram.inFirst(List.of(words)))
                    .redirectErrorStream(true)
                    .inheritIO()
                    .start();
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            System.out.println(e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
