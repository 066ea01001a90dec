package io.verbena.endpoint;

import java.lang.System.Logger.Level;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

/// The events of connections for the JDK's flight recorder. They cost nothing while no recording wants them.
final class EndpointEvents {
    private static final System.Logger LOG = System.getLogger("io.verbena.endpoint");

    private EndpointEvents() {}

    /// A connection that works now.
    @Name("verbena.endpoint.Connect")
    @Label("Connection Established")
    @Category({"Verbena", "Endpoint"})
    @StackTrace(false)
    static final class Connect extends Event {
        @Label("Peer")
        String peer;

        @Label("Accepted")
        @Description("Whether this side is the server")
        boolean accepted;
    }

    /// A connection that is over.
    @Name("verbena.endpoint.Disconnect")
    @Label("Connection Ended")
    @Category({"Verbena", "Endpoint"})
    @StackTrace(false)
    static final class Disconnect extends Event {
        @Label("Peer")
        String peer;

        @Label("Orderly")
        @Description("Whether one of the sides closed it")
        boolean orderly;

        @Label("Reason")
        String reason;
    }

    /// A thread that slept until something came.
    @Name("verbena.endpoint.SlowWait")
    @Label("Slow Wait")
    @Category({"Verbena", "Endpoint"})
    @Description("A thread slept because nothing came from the peer, or because the peer was behind")
    @Threshold("100 ms")
    static final class SlowWait extends Event {
        @Label("Peer")
        String peer;
    }

    static void connected(ConnectionLink connection, boolean accepted) {
        Connect event = new Connect();
        if (event.shouldCommit()) {
            event.peer = connection.peer();
            event.accepted = accepted;
            event.commit();
        }
    }

    static void lost(ConnectionLink connection, RuntimeException reason, boolean orderly) {
        Disconnect event = new Disconnect();
        if (event.shouldCommit()) {
            event.peer = connection.peer();
            event.orderly = orderly;
            event.reason = orderly ? "closed in good order" : reason.getMessage();
            event.commit();
        }
    }

    /// Null when nobody wants to know.
    static SlowWait beginWait() {
        SlowWait event = new SlowWait();
        if (!event.isEnabled()) {
            return null;
        }
        event.begin();
        return event;
    }

    static void endWait(SlowWait event, ConnectionLink connection) {
        if (event != null) {
            event.end();
            if (event.shouldCommit()) {
                event.peer = connection.peer();
                event.commit();
            }
        }
    }

    /// The peer could not be told, or did not answer.
    static void closed(ConnectionLink connection, String problem) {
        LOG.log(Level.DEBUG, () -> "closing the connection to " + connection.peer() + ": " + problem);
    }

    static void revokedLate(String name, long seconds) {
        LOG.log(
                Level.WARNING,
                () ->
                        "export '%s': a peer did not confirm within %d s that it uses it no more; its connection fails if it does"
                                .formatted(name, seconds));
    }

    /// The next connections of the device have queues of their own.
    static void full(int connections, String reason) {
        LOG.log(Level.DEBUG, () -> "no longer queues for more than %d connections: %s".formatted(connections, reason));
    }

    /// What nobody can be told of.
    static void failed(String what, Throwable problem) {
        LOG.log(Level.WARNING, () -> what + " failed: " + problem.getMessage(), problem);
    }

    static RuntimeException asRuntimeException(Throwable problem) {
        return problem instanceof RuntimeException known
                ? known
                : new IllegalStateException(String.valueOf(problem), problem);
    }

    static void refused(String peer, String reason) {
        LOG.log(Level.WARNING, () -> "refused a connection of " + peer + ": " + reason);
    }
}
