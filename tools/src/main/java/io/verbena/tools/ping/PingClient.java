package io.verbena.tools.ping;

import io.verbena.tools.device.PathSeen;
import io.verbena.tools.program.ConnectNotice;
import io.verbena.tools.program.PrintablePattern;
import io.verbena.tools.program.ProgramException;
import io.verbena.tools.program.ProgramOptions;
import io.verbena.tools.program.Progress;
import io.verbena.verbs.RdmaException;

/// The client: connects, makes round trips and measures each.
final class PingClient {
    private final ProgramOptions options;
    private final WaitMode mode;
    private final PingParameters parameters;
    private final PingResult result;

    PingClient(ProgramOptions options, WaitMode mode, PingParameters parameters) {
        this.options = options;
        this.mode = mode;
        this.parameters = parameters;
        this.result = new PingResult("client", mode, options.verify());
    }

    void run(PingPlace place) {
        result.during(() -> connectAndPing(place), () -> result.print(options.output(), options.statistics()));
    }

    private void connectAndPing(PingPlace place) {
        try (var session = connect(place)) {
            result.connected(session.id(), parameters);
            options.output().say("connected to %s", result.peer());
            PrintablePattern.fill(session.ping(), 0);
            ping(session);
            disconnect(session);
        }
    }

    private PingSession connect(PingPlace place) {
        try (var _ = ConnectNotice.start(options.output(), place.server(), place.step(), place.startServer())) {
            return PingSession.connect(place, mode, parameters, result.statistics());
        }
    }

    /// Ctrl-C ends this with EINTR. Closing then disconnects, without waiting for an answer.
    private void ping(PingSession session) {
        var statistics = result.statistics();
        var seen = PathSeen.from(session.id().context());
        statistics.start();
        try (var _ = Progress.start(options.output(), statistics::roundTrips, parameters.count())) {
            for (long message = 0; message < parameters.count(); message++) {
                ping(session, message);
            }
        } catch (ProgramException e) {
            throw trouble(e);
        } finally {
            statistics.stop();
            result.went(seen.path());
        }
    }

    private void ping(PingSession session, long message) {
        if (options.verify()) {
            PrintablePattern.fill(session.ping(), message);
        }
        long start = System.nanoTime();
        session.roundTrip();
        result.roundTrip(System.nanoTime() - start);
        if (options.verify()) {
            long wrong = PrintablePattern.mismatch(session.pong(), message);
            if (wrong >= 0) {
                throw new ProgramException(PrintablePattern.describe(session.pong(), message, message, wrong));
            }
        }
    }

    private ProgramException trouble(ProgramException e) {
        long done = result.statistics().roundTrips();
        return new ProgramException(
                e.isDisconnected()
                        ? "the server disconnected after %,d of %,d round trips".formatted(done, parameters.count())
                        : "message %,d to %s: %s".formatted(done, result.peer(), e.getMessage()),
                e);
    }

    /// All round trips are done: a disconnect that is not confirmed is no failure.
    private static void disconnect(PingSession session) {
        try {
            session.disconnect();
        } catch (RdmaException | ProgramException unconfirmed) {
            // closing is enough
        }
    }
}
