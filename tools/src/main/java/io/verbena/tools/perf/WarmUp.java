package io.verbena.tools.perf;

import io.verbena.tools.program.ProgramException;
import io.verbena.tools.program.Result;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/// Runs the test inside this process over the same device, so that its code is compiled before a C peer takes part. A C
/// peer counts every message, and would count those of a warm-up.
///
/// Two Verbena sides do not need this: they warm up with each other.
final class WarmUp {
    private static final Greeting SELF = new Greeting(Greeting.VERSION, true);
    private static final PerfListener NOBODY = new PerfListener() {};

    private WarmUp() {}

    static void onLoopback(PerfParameters parameters, PerfPort port, SessionSettings settings) {
        if (!parameters.warmUp()) {
            return;
        }
        try (var listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var client = new Socket(listener.getInetAddress(), listener.getLocalPort());
            Socket server = listener.accept();
            var serving = CompletableFuture.runAsync(
                    () -> run(parameters, port, server, false, settings),
                    Thread.ofPlatform().daemon().name("warm-up")::start);
            run(parameters, port, client, true, settings);
            serving.get();
        } catch (IOException | ExecutionException e) {
            throw new ProgramException(
                    "the warm-up inside this process failed: " + e.getMessage() + "; --no-warm-up leaves it out", e);
        } catch (InterruptedException e) {
            throw Result.interrupt("warm up");
        }
    }

    private static void run(
            PerfParameters parameters, PerfPort port, Socket socket, boolean client, SessionSettings settings) {
        SessionSettings quiet = settings.forWarmUp();
        try (var channel = new PeerChannel(socket, client, quiet.patience())) {
            new PerfSession(parameters, port, channel, new HandWiring(), SELF, "this process", quiet, NOBODY).run();
        }
    }
}
