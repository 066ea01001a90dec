package io.verbena.tools.echo;

import io.verbena.tools.demo.JvmCommand;
import io.verbena.tools.device.SoftPath;
import io.verbena.tools.program.ProgramException;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A server in a process of its own.
final class EchoProcess implements AutoCloseable {
    private static final Pattern LISTENS = Pattern.compile("server listens on (\\S+) port (\\d+)");

    private static final Duration START = Duration.ofSeconds(60);

    private final Process process;
    private final Thread onExit;
    private final InetSocketAddress address;

    /// @param path null for the default
    EchoProcess(InetAddress host, SoftPath path) {
        List<String> command = new ArrayList<>(JvmCommand.build(path == null ? List.of() : List.of(path.property())));
        command.addAll(List.of("echo", "--serve", host.getHostAddress(), "--port", "0"));
        try {
            process =
                    new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
        } catch (IOException e) {
            throw new ProgramException("cannot start the server process: " + e.getMessage(), e);
        }
        onExit = new Thread(process::destroyForcibly, "end the server");
        Runtime.getRuntime().addShutdownHook(onExit);
        try {
            address = new InetSocketAddress(host, port());
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private int port() {
        CompletableFuture<String> line = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> readLine(line));
        try {
            Matcher match = LISTENS.matcher(line.get(START.toMillis(), TimeUnit.MILLISECONDS));
            if (!match.find()) {
                throw new ProgramException("the server process did not come up; it says why above");
            }
            return Integer.parseInt(match.group(2));
        } catch (TimeoutException e) {
            throw new ProgramException(
                    "the server process did not listen within %d s; is the machine overloaded?"
                            .formatted(START.toSeconds()),
                    e);
        } catch (ExecutionException e) {
            throw new ProgramException(
                    "the server process did not come up: " + e.getCause().getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ProgramException("interrupted while the server process started", e);
        }
    }

    private void readLine(CompletableFuture<String> to) {
        try {
            String line = process.inputReader(StandardCharsets.UTF_8).readLine();
            to.complete(line == null ? "" : line);
        } catch (IOException e) {
            to.completeExceptionally(e);
        }
    }

    InetSocketAddress address() {
        return address;
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            Runtime.getRuntime().removeShutdownHook(onExit);
        } catch (IllegalStateException alreadyEnding) {
            // the server has ended
        }
    }
}
