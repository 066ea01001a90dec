package io.verbena.tools.ping;

import io.verbena.report.measure.CpuTime;
import io.verbena.tools.demo.JvmCommand;
import io.verbena.tools.device.SoftPath;
import io.verbena.tools.program.Output;
import io.verbena.tools.program.ProgramException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/// The server of a comparison, in a process of its own, so that the CPU time of each side can be measured.
final class ComparisonServer implements AutoCloseable {
    private final Process process;
    private final Thread onExit;

    private ComparisonServer(Process process, Output output) {
        this.process = process;
        this.onExit = new Thread(process::destroyForcibly, "end the server");
        Runtime.getRuntime().addShutdownHook(onExit);
        Thread.ofPlatform().daemon().name("server's errors").start(() -> passOn(process.errorReader(), output));
    }

    /// @param path null for the default
    static ComparisonServer start(String provider, InetAddress address, SoftPath path, Output output) {
        List<String> command = new ArrayList<>(JvmCommand.build(path == null ? List.of() : List.of(path.property())));
        command.addAll(List.of("ping", "--all-ways", "--provider", provider, "--device", address.getHostAddress()));
        try {
            var process =
                    new ProcessBuilder(command).redirectOutput(Redirect.DISCARD).start();
            return new ComparisonServer(process, output);
        } catch (IOException e) {
            throw new ProgramException("cannot start the server process: " + e.getMessage(), e);
        }
    }

    /// Prints the server's errors, but not those of clients that left, which is normal here.
    private static void passOn(BufferedReader errors, Output output) {
        try (errors) {
            errors.lines()
                    .filter(line -> !line.contains("disconnected after"))
                    .forEach(line -> output.trouble("server: " + line));
        } catch (IOException | UncheckedIOException ended) {
            // the server has closed its output
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    CpuTime cpu() {
        return CpuTime.of(process.toHandle());
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
