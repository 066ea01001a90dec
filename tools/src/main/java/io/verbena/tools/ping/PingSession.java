package io.verbena.tools.ping;

import io.verbena.tools.program.ConnectFailure;
import io.verbena.tools.program.ProgramException;
import io.verbena.tools.program.Statistics;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import java.lang.foreign.MemorySegment;
import java.time.Duration;

/// The client's part of a connection, one verb after the other: resolve, connect, send and receive, disconnect.
final class PingSession implements AutoCloseable {
    /// The server may leave before it confirms the disconnect.
    private static final Duration GOODBYE = Duration.ofSeconds(5);

    private static final int PING = 0;
    private static final int PONG = 1;

    private final ConnectionEvents events;
    private final ConnectionId id;
    private PingQueuePair queue;
    private long done;

    private PingSession(PingPlace place, WaitMode mode) {
        events = mode.cm().open(place.cm(), place.step());
        try {
            id = events.newId();
        } catch (RuntimeException e) {
            events.close();
            throw e;
        }
    }

    static PingSession connect(PingPlace place, WaitMode mode, PingParameters parameters, Statistics statistics) {
        var session = new PingSession(place, mode);
        try {
            session.resolve(place);
            session.requireFit(parameters);
            session.queue = new PingQueuePair(
                    session.id, session.events, mode.completions(), parameters, statistics, place.timeout());
            session.connect(place, parameters);
            return session;
        } catch (RuntimeException e) {
            session.close();
            throw e;
        }
    }

    /// Finds the device and the route to the server.
    private void resolve(PingPlace place) {
        id.resolveAddress(place.source(), place.server(), place.step());
        events.await(CmEventType.ADDRESS_RESOLVED);
        id.resolveRoute(place.step());
        events.await(CmEventType.ROUTE_RESOLVED);
    }

    private void requireFit(PingParameters parameters) {
        long most = id.context().port(id.port()).maxMessageBytes();
        if (parameters.size() > most) {
            throw new ProgramException(
                    "--size: a message of device " + id.context().device().name() + " has " + most + " bytes at most");
        }
    }

    /// The parameters are sent with the connection request.
    private void connect(PingPlace place, PingParameters parameters) {
        try {
            id.connect(WaitMode.PARAMETERS.withPrivateData(parameters.encode()));
            events.await(CmEventType.ESTABLISHED);
        } catch (RdmaException | ProgramException e) {
            throw ConnectFailure.of(place.startServer(), place.server(), events.last(), e);
        }
    }

    ConnectionId id() {
        return id;
    }

    /// The memory of the next message, to be filled before [#roundTrip].
    MemorySegment ping() {
        return queue.message(PING);
    }

    /// The message that came back.
    MemorySegment pong() {
        return queue.message(PONG);
    }

    /// Posts the receive for the answer before the message: an answer that finds no receive causes an RNR NAK.
    void roundTrip() {
        queue.postReceive(PONG);
        queue.postSend(PING);
        done++;
        queue.await(done, done, "answer");
    }

    /// Stays connected that long and sends nothing.
    void idle(Duration time) {
        queue.idle(time);
    }

    /// Disconnects, which ends the server's part.
    void disconnect() {
        id.timeout(GOODBYE);
        id.disconnect();
        events.await(CmEventType.DISCONNECTED);
    }

    /// The queue pair closes the id; without a queue pair the id is closed here.
    @Override
    public void close() {
        if (queue != null) {
            queue.close();
        }
        id.close();
        events.close();
    }
}
