package io.verbena.soft.event;

import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Throttle;
import jdk.jfr.Timespan;

/// The events of queue pairs.
final class QueuePairEvents {
    private QueuePairEvents() {}

    /// What they have in common.
    @Category({"Verbena", "Software Device"})
    @StackTrace(false)
    abstract static class QueuePairEvent extends Event {
        @Label("Device")
        @Description("The address of the device")
        String device;

        @Label("Queue Pair")
        String queuePair;

        @Label("Peer")
        @Description("The address of the peer; empty without one")
        String peer;

        @Label("Queue Pair of the Peer")
        String peerQueuePair;

        @Label("Path")
        @Description("shared memory, or UDP")
        String path;

        final void fill(QueuePairFacts facts) {
            device = EventText.of(facts.deviceGid());
            queuePair = EventText.queuePair(facts.number());
            peer = EventText.of(facts.peerGid());
            peerQueuePair = EventText.queuePair(facts.peerNumber());
            path = EventText.path(facts.isLocal());
        }
    }

    /// A queue pair changed its state.
    @Name("verbena.soft.StateChange")
    @Label("Queue Pair State Change")
    @Description("A queue pair went to another state")
    @Throttle("1000/s")
    static final class StateChange extends QueuePairEvent {
        @Label("From")
        String from;

        @Label("To")
        String to;

        @Label("Cause")
        @Description(
                "program: a call of the program or of the connection manager; close: it was closed; else what failed")
        String cause;

        @Label("Flushed Requests")
        @Description("How many posted requests ended with a flush error at that moment")
        int flushed;
    }

    /// A request failed. Those that are flushed behind it are counted in [StateChange].
    @Name("verbena.soft.ErrorCompletion")
    @Label("Error Completion")
    @Description("A request failed; requests flushed because of it are counted in the state change")
    @Throttle("1000/s")
    static final class ErrorCompletion extends QueuePairEvent {
        @Label("Request Id")
        @Description("The wr_id that the program gave the request")
        long requestId;

        @Label("Operation")
        String operation;

        @Label("Bytes")
        @Description("The length of the request; 0 for a receive")
        long bytes;

        @Label("Status")
        String status;

        @Label("Explanation")
        @Description("The usual cause and the remedy")
        String explanation;
    }

    /// Packets are sent again.
    @Name("verbena.soft.Retransmission")
    @Label("Retransmission Burst")
    @Description("Packets are sent again from some sequence number on, because one was lost or not acknowledged")
    @Throttle("100/s")
    static final class Retransmission extends QueuePairEvent {
        @Label("Cause")
        String cause;

        @Label("First PSN")
        @Description("The sequence number of the first packet that is sent again")
        int firstPsn;

        @Label("Packets")
        @Description("How many sequence numbers were used and are not acknowledged")
        int packets;

        @Label("Retries Left")
        @Description("How many more timeouts without progress until the connection fails")
        int retriesLeft;
    }

    /// The peer had no receive.
    @Name("verbena.soft.ReceiverNotReady")
    @Label("Receiver Not Ready Wait")
    @Description("The peer had no receive posted, so this side waits and sends again (RNR NAK received)")
    @Throttle("100/s")
    static final class ReceiverNotReady extends QueuePairEvent {
        @Label("Wait")
        @Description("How long this side waits before it sends again")
        @Timespan(Timespan.NANOSECONDS)
        long waitTime;

        @Label("Retries Left")
        @Description("How many more times this side waits; 7: for ever")
        int retriesLeft;
    }

    /// This side had no receive.
    @Name("verbena.soft.NoReceive")
    @Label("No Receive Posted")
    @Description(
            "A message came and no receive was posted here, so the peer waits (RNR NAK sent). Post receives earlier")
    @Throttle("100/s")
    static final class NoReceive extends QueuePairEvent {}

    /// A connection got its path.
    @Name("verbena.soft.PathChoice")
    @Label("Path Choice")
    @Description("A reliable connection goes through shared memory or over UDP from now on")
    @Throttle("1000/s")
    static final class PathChoice extends QueuePairEvent {
        @Label("Reason")
        String reason;
    }

    static void stateChanged(
            QueuePairFacts qp, boolean isLocal, QueuePairState from, QueuePairState to, String cause, int flushed) {
        StateChange event = new StateChange();
        if (event.shouldCommit()) {
            event.fill(qp);
            event.path = EventText.path(isLocal);
            event.from = from.name();
            event.to = to.name();
            event.cause = cause;
            event.flushed = flushed;
            event.commit();
        }
    }

    static void errorCompletion(QueuePairFacts qp, long wrId, String operation, long bytes, CompletionStatus status) {
        ErrorCompletion event = new ErrorCompletion();
        if (event.shouldCommit()) {
            event.fill(qp);
            event.requestId = wrId;
            event.operation = operation;
            event.bytes = bytes;
            event.status = status.name();
            event.explanation = status.explain();
            event.commit();
        }
    }

    static void retransmission(QueuePairFacts qp, String cause, int psn, int packets, int retriesLeft) {
        Retransmission event = new Retransmission();
        if (event.shouldCommit()) {
            event.fill(qp);
            event.cause = cause;
            event.firstPsn = psn;
            event.packets = packets;
            event.retriesLeft = retriesLeft;
            event.commit();
        }
    }

    static void receiverNotReady(QueuePairFacts qp, long waitNs, int retriesLeft) {
        ReceiverNotReady event = new ReceiverNotReady();
        if (event.shouldCommit()) {
            event.fill(qp);
            event.waitTime = waitNs;
            event.retriesLeft = retriesLeft;
            event.commit();
        }
    }

    static void noReceive(QueuePairFacts qp) {
        NoReceive event = new NoReceive();
        if (event.shouldCommit()) {
            event.fill(qp);
            event.commit();
        }
    }

    static void pathChosen(QueuePairFacts qp, String reason) {
        PathChoice event = new PathChoice();
        if (event.shouldCommit()) {
            event.fill(qp);
            event.reason = reason;
            event.commit();
        }
    }
}
