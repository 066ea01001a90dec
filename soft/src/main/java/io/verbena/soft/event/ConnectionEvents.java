package io.verbena.soft.event;

import io.verbena.verbs.attr.Gid;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Throttle;
import jdk.jfr.Timespan;

/// The events of the connection manager.
final class ConnectionEvents {
    private ConnectionEvents() {}

    /// What they have in common.
    @Category({"Verbena", "Software Device"})
    @StackTrace(false)
    @Throttle("1000/s")
    abstract static class ConnectionEvent extends Event {
        @Label("Device")
        @Description("The address of the device")
        String device;

        @Label("Peer")
        @Description("The address of the peer")
        String peer;

        @Label("Accepted")
        @Description("Whether this side is the server")
        boolean accepted;
    }

    /// A connection that works now.
    @Name("verbena.soft.Connect")
    @Label("Connected")
    @Description("The connection manager established a connection")
    static final class Connect extends ConnectionEvent {
        @Label("Queue Pair")
        String queuePair;

        @Label("Queue Pair of the Peer")
        String peerQueuePair;

        @Label("Opening Time")
        @Description("From the request for the connection until it was established")
        @Timespan(Timespan.NANOSECONDS)
        long openingTime;
    }

    /// An attempt that failed.
    @Name("verbena.soft.ConnectFailure")
    @Label("Connecting Failed")
    @Description("A connection was asked for and did not come about")
    static final class ConnectFailure extends ConnectionEvent {
        @Label("Reason")
        @Description("Cause and remedy")
        String reason;

        @Label("Opening Time")
        @Description("From the request for the connection until it was given up")
        @Timespan(Timespan.NANOSECONDS)
        long openingTime;
    }

    /// A connection that is over.
    @Name("verbena.soft.Disconnect")
    @Label("Disconnected")
    @Description("A connection of the connection manager is over")
    @Category({"Verbena", "Software Device"})
    @StackTrace(false)
    @Throttle("1000/s")
    static final class Disconnect extends Event {
        @Label("Device")
        @Description("The address of the device")
        String device;

        @Label("Peer")
        @Description("The address of the peer")
        String peer;

        @Label("Queue Pair")
        String queuePair;

        @Label("Queue Pair of the Peer")
        String peerQueuePair;

        @Label("By This Side")
        @Description("Whether this side disconnected first")
        boolean byThisSide;

        @Label("Orderly")
        @Description("Whether one of the sides disconnected. If not, the reason says what happened")
        boolean orderly;

        @Label("Reason")
        @Description("Cause and remedy; empty after an orderly end")
        String reason;

        @Label("Age")
        @Description("How long the connection lived")
        @Timespan(Timespan.NANOSECONDS)
        long age;
    }

    static void connected(Gid device, int qp, Gid peer, int peerQp, boolean isAccepted, long openingNs) {
        Connect event = new Connect();
        if (event.shouldCommit()) {
            event.device = EventText.of(device);
            event.queuePair = EventText.queuePair(qp);
            event.peer = EventText.of(peer);
            event.peerQueuePair = EventText.queuePair(peerQp);
            event.accepted = isAccepted;
            event.openingTime = openingNs;
            event.commit();
        }
    }

    static void connectFailed(Gid device, Gid peer, boolean isAccepted, TextSource reason, long openingNs) {
        ConnectFailure event = new ConnectFailure();
        if (event.shouldCommit()) {
            event.device = EventText.of(device);
            event.peer = EventText.of(peer);
            event.accepted = isAccepted;
            event.reason = reason.text();
            event.openingTime = openingNs;
            event.commit();
        }
    }

    static void disconnected(
            Gid device, int qp, Gid peer, int peerQp, boolean isByThisSide, TextSource cause, long ageNs) {
        Disconnect event = new Disconnect();
        if (event.shouldCommit()) {
            event.device = EventText.of(device);
            event.queuePair = EventText.queuePair(qp);
            event.peer = EventText.of(peer);
            event.peerQueuePair = EventText.queuePair(peerQp);
            event.byThisSide = isByThisSide;
            event.orderly = cause == null;
            event.reason = cause == null ? "" : cause.text();
            event.age = ageNs;
            event.commit();
        }
    }
}
