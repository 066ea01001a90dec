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

    /// Something failed that is not told, or not only, by the end of a connection.
    @Name("verbena.endpoint.Error")
    @Label("Endpoint Error")
    @Category({"Verbena", "Endpoint"})
    @StackTrace(false)
    static final class Error extends Event {
        @Label("Peer")
        @Description("Null where it concerns no single peer")
        String peer;

        @Label("What")
        @Description("What was being done")
        String what;

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

    private static void error(String peer, String what, String reason) {
        Error event = new Error();
        if (event.shouldCommit()) {
            event.peer = peer;
            event.what = what;
            event.reason = reason;
            event.commit();
        }
    }

    /// The program is told by an exception.
    static void notConnected(String server, String reason) {
        error(server, "connect", reason);
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
        closed(connection.peer(), problem);
    }

    static void closed(String peer, String problem) {
        LOG.log(Level.DEBUG, () -> "closing the connection to " + peer + ": " + problem);
    }

    static void revokedLate(String name, long seconds) {
        failed(
                "revoke the export '" + name + "'",
                "a peer did not confirm within %d s that it uses it no more; its connection fails if it does"
                        .formatted(seconds));
    }

    /// The next connections of the device have queues of their own.
    static void full(int connections, String reason) {
        LOG.log(Level.DEBUG, () -> "no longer queues for more than %d connections: %s".formatted(connections, reason));
    }

    static void failed(String what, String reason) {
        LOG.log(Level.WARNING, () -> what + ": " + reason);
        error(null, what, reason);
    }

    /// What nobody can be told of.
    static void failed(String what, Throwable problem) {
        failed(null, what, problem);
    }

    /// The same, on behalf of a peer.
    static void failed(String peer, String what, Throwable problem) {
        String of = peer == null ? "" : " of the connection to " + peer;
        LOG.log(Level.WARNING, () -> what + of + " failed: " + problem.getMessage(), problem);
        error(peer, what, String.valueOf(problem.getMessage()));
    }

    static RuntimeException asRuntimeException(Throwable problem) {
        return problem instanceof RuntimeException known
                ? known
                : new IllegalStateException(String.valueOf(problem), problem);
    }

    static void refused(String peer, String reason) {
        LOG.log(Level.WARNING, () -> "refused a connection of " + peer + ": " + reason);
        error(peer, "accept", reason);
    }
}
