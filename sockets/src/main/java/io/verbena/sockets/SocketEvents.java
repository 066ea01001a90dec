package io.verbena.sockets;

import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/// The events of connections for the JDK's flight recorder. They cost nothing while no recording wants them.
final class SocketEvents {
    private static final System.Logger LOG = System.getLogger("io.verbena.sockets");

    private SocketEvents() {}

    /// A connection over RDMA that works now.
    @Name("verbena.sockets.Connect")
    @Label("Socket Connected by RDMA")
    @Category({"Verbena", "Sockets"})
    @StackTrace(false)
    static final class Connect extends Event {
        @Label("Local Address")
        String local;

        @Label("Peer")
        String peer;

        @Label("Accepted")
        @Description("Whether this side is the server")
        boolean accepted;
    }

    /// A connection that uses TCP although RDMA was tried.
    @Name("verbena.sockets.Fallback")
    @Label("Socket Fallback to TCP")
    @Category({"Verbena", "Sockets"})
    @StackTrace(false)
    static final class Fallback extends Event {
        @Label("Peer")
        String peer;

        @Label("Reason")
        String reason;
    }

    /// A connection over RDMA that is over.
    @Name("verbena.sockets.Close")
    @Label("Socket Closed")
    @Category({"Verbena", "Sockets"})
    @StackTrace(false)
    static final class Close extends Event {
        @Label("Peer")
        String peer;

        @Label("Bytes Read")
        long read;

        @Label("Bytes Written")
        long written;

        @Label("Failure")
        @Description("Empty when one of the sides closed it")
        String failure;
    }

    static void connected(RdmaStream stream, boolean accepted) {
        SocketCounters.RDMA_CONNECTIONS.increment();
        Connect event = new Connect();
        if (event.shouldCommit()) {
            event.local = String.valueOf(stream.localAddress());
            event.peer = String.valueOf(stream.peerAddress());
            event.accepted = accepted;
            event.commit();
        }
    }

    /// @param peer null for all
    static void fellBack(InetSocketAddress peer, String reason) {
        SocketCounters.FALLBACKS.count(reason);
        Fallback event = new Fallback();
        if (event.shouldCommit()) {
            event.peer = peer == null ? "" : peer.toString();
            event.reason = reason;
            event.commit();
        }
        LOG.log(Level.DEBUG, () -> "TCP to " + peer + ": " + reason);
    }

    static void closed(RdmaStream stream) {
        Close event = new Close();
        if (stream.isEstablished() && event.shouldCommit()) {
            event.peer = String.valueOf(stream.peerAddress());
            event.read = stream.counters().read();
            event.written = stream.counters().written();
            StreamFailure failure = stream.failure();
            event.failure = failure == null ? "" : failure.message();
            event.commit();
        }
    }

    static void failed(RdmaStream stream, StreamFailure failure) {
        LOG.log(Level.DEBUG, () -> stream + ": " + failure.message());
    }

    static void trouble(Object where, Exception problem) {
        LOG.log(Level.DEBUG, () -> where + ": " + problem.getMessage());
    }
}
