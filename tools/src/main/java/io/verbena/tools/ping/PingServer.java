package io.verbena.tools.ping;

import io.verbena.tools.device.PathsSeen;
import io.verbena.tools.program.ProgramOptions;
import io.verbena.tools.program.ProgramServer;
import java.io.IOException;
import java.io.OutputStream;

/// Listens as `--cm` says, and serves each client in a thread of its own.
///
/// With `--cm sync` the listener and each client's id are synchronous. Otherwise the listener has an event channel, and
/// each client's id moves to a channel of its own. With `--cm thread` one more thread takes the events of each channel;
/// with `--cm poll` there is only the thread of the listener and one per client.
final class PingServer {
    private PingServer() {}

    static void serve(ProgramOptions options, int usualPort, WaitMode mode, PingParameters own) {
        var paths = new PathsSeen();
        try (ConnectionEvents events = mode.cm().open(options.connectionManager(), options.step())) {
            ProgramServer.serve(
                    options,
                    usualPort,
                    events.newId(),
                    events::nextRequest,
                    request -> new PingService(options, mode, own, paths).serve(request));
        }
    }

    /// For [Comparison]: one server for each of the nine modes, on ports from `firstPort` on. They run until standard
    /// input ends, which it does at the latest when the parent process ends.
    static void serveAllWays(ProgramOptions options, int firstPort, PingParameters own) {
        for (WaitMode mode : WaitMode.ALL) {
            int port = firstPort + WaitMode.ALL.indexOf(mode);
            Thread.ofPlatform().daemon().name("listener " + port).start(() -> {
                try {
                    serve(options, port, mode, own);
                } catch (RuntimeException e) {
                    options.output().trouble(e.getMessage());
                }
            });
        }
        try {
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException ended) {
            // an error is the end, too
        }
    }
}
