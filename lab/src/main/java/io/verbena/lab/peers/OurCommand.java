package io.verbena.lab.peers;

import io.verbena.tools.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// A command of ours in a thread of this JVM, since a new JVM takes five seconds to start on an emulated processor.
/// `cm` is [CmPeer], other commands go to the command line of the tools. Closing it interrupts it.
final class OurCommand implements AutoCloseable {
    private static final long POLL_MILLIS = 20;
    private static final Duration END = Duration.ofSeconds(10);
    private static final String LAST_ACKNOWLEDGEMENT_LOST =
            "SEND failed after 99 sent and 100 received of 100 messages: transport retry counter exceeded";

    private final StringWriter text = new StringWriter();
    private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();
    private final Thread thread;

    OurCommand(List<String> words) {
        var out = new PrintWriter(text, true);
        thread = Thread.ofPlatform().daemon().name(words.getFirst()).start(() -> exitCode.complete(run(words, out)));
    }

    private static int run(List<String> words, PrintWriter out) {
        try {
            String[] arguments = words.toArray(String[]::new);
            return words.getFirst().equals("cm") ? CmPeer.run(out, arguments) : Main.run(out, out, arguments);
        } catch (RuntimeException | Error thrown) {
            thrown.printStackTrace(out);
            return 1;
        }
    }

    /// Waits until the command says that it listens; false when it did not in that time.
    boolean awaitReady(Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while (!isReady()) {
            if (exitCode.isDone() || System.nanoTime() > end) {
                return false;
            }
            Thread.sleep(POLL_MILLIS);
        }
        return true;
    }

    private boolean isReady() {
        String said = output();
        return said.contains("listen") || said.contains("joined");
    }

    /// The exit code, or -1 when the command did not end in that time.
    int await(Duration limit) throws InterruptedException {
        try {
            return exitCode.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException tooLong) {
            return -1;
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    String output() {
        return text.toString();
    }

    /// Whether the acknowledgement of our last SEND was lost. A program that leaves without a disconnect takes its
    /// queue pair with it. Then nobody repeats the acknowledgement, although all messages arrived.
    boolean lostTheLastAcknowledgement() {
        return output().contains(LAST_ACKNOWLEDGEMENT_LOST);
    }

    /// The stack of the command's thread, for one that does not end.
    String stack() {
        var text = new StringBuilder();
        for (StackTraceElement frame : thread.getStackTrace()) {
            text.append("    at ").append(frame).append('\n');
        }
        return text.toString();
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            if (!thread.join(END)) {
                System.out.print(thread.getName() + " does not end when it is interrupted:\n" + stack());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
