package io.verbena.tools;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// A command that runs in a thread of the test, as a server does. Closing it interrupts it.
public final class BackgroundCommand implements AutoCloseable {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();
    private final Thread thread;

    private BackgroundCommand(String... arguments) {
        thread = Thread.ofPlatform()
                .daemon()
                .name(String.join(" ", arguments))
                .start(() -> exitCode.complete(Main.commandLine()
                        .setOut(new PrintWriter(out, true))
                        .setErr(new PrintWriter(err, true))
                        .execute(arguments)));
    }

    public static BackgroundCommand start(String... arguments) {
        return new BackgroundCommand(arguments);
    }

    /// Waits until that text was printed.
    public BackgroundCommand awaitText(String text) throws InterruptedException {
        return await(out, text);
    }

    /// Waits until that text was printed on standard error.
    public BackgroundCommand awaitError(String text) throws InterruptedException {
        return await(err, text);
    }

    private BackgroundCommand await(StringWriter where, String text) throws InterruptedException {
        long start = System.nanoTime();
        while (!where.toString().contains(text)) {
            assertTrue(!exitCode.isDone(), () -> "ended: " + out + err);
            assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(40), () -> "no '" + text + "': " + out);
            Thread.sleep(5);
        }
        return this;
    }

    /// The output so far.
    public String out() {
        return out.toString();
    }

    /// Standard error so far.
    public String err() {
        return err.toString();
    }

    public boolean isDone() {
        return exitCode.isDone();
    }

    /// Waits for its end.
    public CommandRun await() throws Exception {
        int code = exitCode.get(60, TimeUnit.SECONDS);
        return new CommandRun(code, out.toString(), err.toString()).withoutNotice();
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join(5_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
