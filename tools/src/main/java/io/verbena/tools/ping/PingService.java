package io.verbena.tools.ping;

import io.verbena.tools.device.PathsSeen;
import io.verbena.tools.program.PrintablePattern;
import io.verbena.tools.program.ProgramException;
import io.verbena.tools.program.ProgramOptions;
import io.verbena.tools.program.Refusal;
import io.verbena.tools.program.Result;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import java.util.Optional;

/// The server's part of one connection: sends every message back.
final class PingService {
    private final ProgramOptions options;
    private final WaitMode mode;
    private final PingParameters own;
    private final PathsSeen paths;
    private final PingResult result;
    private boolean isTold;

    /// @param own for clients that send neither count nor size
    /// @param paths the paths of all clients of the server
    PingService(ProgramOptions options, WaitMode mode, PingParameters own, PathsSeen paths) {
        this.options = options;
        this.mode = mode;
        this.own = own;
        this.paths = paths;
        this.result = new PingResult("server", mode, options.verify());
    }

    /// Serves a request until the connection ends.
    void serve(CmEvent request) {
        result.during(() -> echo(request), () -> result.print(options.output(), options.statistics()));
    }

    private void echo(CmEvent request) {
        try (ConnectionEvents events = mode.cm().open(options.connectionManager(), options.step());
                ConnectionId id = request.id()) {
            events.adopt(id);
            PingParameters agreed = agree(id, request.privateData());
            result.connected(id, agreed);
            try (var queue = open(id, events, agreed)) {
                queue.postReceive(0); // before the client can send
                accept(id, events);
                options.output()
                        .say(
                                "client %s asks for %,d round trips of %,d bytes",
                                result.peer(), agreed.count(), agreed.size());
                echo(id, queue, agreed);
            }
        }
    }

    /// The client's count and size, if it sends them.
    private PingParameters agree(ConnectionId id, byte[] privateData) {
        String complaint = PingParameters.complaint(privateData);
        Optional<PingParameters> told = PingParameters.decode(privateData);
        isTold = told.isPresent();
        PingParameters wanted = told.orElse(own);
        long most = id.context().port(id.port()).maxMessageBytes();
        if (complaint == null && wanted.size() > most) {
            complaint = "size " + wanted.size() + " is more than the " + most + " bytes of the server's device";
        }
        if (complaint != null) {
            throw Refusal.refuse(id, complaint);
        }
        return wanted;
    }

    private PingQueuePair open(ConnectionId id, ConnectionEvents events, PingParameters agreed) {
        try {
            return new PingQueuePair(id, events, mode.completions(), agreed, result.statistics(), options.timeout());
        } catch (RdmaException e) {
            throw Refusal.refuse(id, e.getMessage()); // no memory left, for example
        }
    }

    private void accept(ConnectionId id, ConnectionEvents events) {
        try {
            id.accept(WaitMode.PARAMETERS);
            events.await(CmEventType.ESTABLISHED);
        } catch (RdmaException | ProgramException e) {
            throw Result.isInterrupt(e)
                    ? e
                    : new ProgramException(
                            "client " + result.peer() + " did not complete the connection: " + e.getMessage(), e);
        }
    }

    private void echo(ConnectionId id, PingQueuePair queue, PingParameters agreed) {
        var statistics = result.statistics();
        var path = paths.begin(id.context());
        statistics.start();
        try {
            for (long message = 0; message < agreed.count(); message++) {
                queue.await(message, message + 1, "message");
                int slot = (int) (message % 2);
                verify(queue, slot, message);
                queue.postReceive(1 - slot); // a receive for the next message, before the client may send it
                queue.postSend(slot);
                statistics.roundTrip();
            }
            queue.await(agreed.count(), agreed.count(), "acknowledgement of the last message");
        } catch (ProgramException e) {
            throw trouble(e, agreed);
        } finally {
            statistics.stop();
            result.went(path.end());
        }
        awaitGoodbye(queue, agreed);
    }

    private void verify(PingQueuePair queue, int slot, long message) {
        long wrong = options.verify() ? PrintablePattern.mismatch(queue.message(slot), message) : -1;
        if (wrong >= 0) {
            throw new ProgramException(PrintablePattern.describe(queue.message(slot), message, message, wrong)
                    + "; a server verifies only clients with --verify");
        }
    }

    private ProgramException trouble(ProgramException e, PingParameters agreed) {
        String what = e.isDisconnected()
                ? "disconnected after %,d of %,d round trips"
                        .formatted(result.statistics().roundTrips(), agreed.count())
                : e.getMessage();
        String hint = isTold
                ? ""
                : "; this client does not tell its count and size: give the server those with --count and --size";
        return new ProgramException("client " + result.peer() + ": " + what + hint, e);
    }

    /// One receive is left posted; it is flushed when the client disconnects.
    private void awaitGoodbye(PingQueuePair queue, PingParameters agreed) {
        try {
            queue.await(agreed.count(), agreed.count() + 1, "good-bye");
        } catch (ProgramException e) {
            return; // gone, or silent: all is done
        }
        throw new ProgramException("client " + result.peer() + ": sends more than the " + agreed.count()
                + " messages agreed on; give client and server the same --count");
    }
}
