package io.verbena.tools.demo;

import io.verbena.tools.program.ProgramException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// Lines from the parent to a child, on standard input. When standard input ends the parent is gone, and the child
/// exits, whatever it is doing.
final class ParentLine {
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    ParentLine(InputStream in) {
        Thread.ofPlatform().daemon().name("parent").start(() -> read(in));
    }

    private void read(InputStream in) {
        try (var reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.add(line);
            }
        } catch (IOException ignored) {
            // an error is the end, too
        }
        Runtime.getRuntime().halt(1);
    }

    /// Waits for the address that the server listens on.
    InetSocketAddress awaitServer() throws InterruptedException {
        String line = lines.poll(Patience.START.toMillis(), TimeUnit.MILLISECONDS);
        if (line == null) {
            throw new ProgramException("was not told where the server listens");
        }
        int blank = line.indexOf(' ');
        return new InetSocketAddress(line.substring(0, blank), Integer.parseInt(line.substring(blank + 1)));
    }
}
