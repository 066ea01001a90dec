package io.verbena.endpoint;

import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.cm.ConnectionId;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;

/// What is behind a [Connection]: the queue pair, the halves that send and receive, what arrives, and how it ends.
final class ConnectionLink {
    static final byte[] NO_BYTES = {};
    static final Duration FOR_EVER = Duration.ofDays(36_500);

    private volatile Connection connection = new Connection(this);
    private final EndpointOptions options;
    private final HubResources resources;
    private final Hub hub;
    private final ConnectionId id;
    private final QueuePair qp;
    private final ReceiveBuffers buffers;
    private final String peer;
    private final Credits credits;
    private final Sender sender;

    /// Of this connection only: the peer could read what is in such a buffer later, because it knows the key.
    private final LongBuffers longBuffers;

    private final LongMessages longs;
    private final Lookups lookups;
    private final Exports exports;
    private final Traffic traffic = new Traffic();
    private final Messenger messenger;
    private final Ending ending;

    private final Waits waits;

    private final Arrivals arrivals;
    private final Loss loss;

    /// What else to do when the connection is closed.
    private final Runnable onClosed;

    /// Receives are posted already.
    ConnectionLink(
            EndpointOptions options,
            HubResources resources,
            ConnectionId id,
            ReceiveBuffers buffers,
            Handshake peerOffers,
            Exports exports,
            Runnable onClosed) {
        this.options = options;
        this.resources = resources;
        this.hub = resources.hub();
        this.waits = new Waits(this, hub);
        this.id = id;
        this.qp = id.queuePair();
        this.buffers = buffers;
        this.exports = exports;
        this.onClosed = onClosed;
        peer = peer(id);
        credits = new Credits(peerOffers.credits(), options.credits());
        sender = new Sender(
                qp, resources.sendBuffers(), resources.scratches(), peerOffers, credits, options.sendRequests());
        Receiver receiver = new Receiver(this, buffers);
        longBuffers = new LongBuffers(resources.protectionDomain());
        // Each has an answer of the peer, for which this side has posted a receive.
        Transfers transfers = new Transfers(this, Math.min(peerOffers.longMessages(), LongMessages.MOST_ANNOUNCED));
        longs = new LongMessages(this, sender, transfers, longBuffers, options);
        lookups = new Lookups(this, sender);
        Calls calls = new Calls();
        arrivals = new Arrivals(this, buffers, sender, receiver, transfers, calls);
        loss = new Loss(this, qp, transfers, calls);
        messenger = new Messenger(this, hub, sender, receiver, longs, calls, traffic);
        ending = new Ending(this, id, sender, transfers);
    }

    // ---- what it has ----

    Connection connection() {
        return connection;
    }

    /// Takes the place of another one.
    void connection(Connection before) {
        connection = before;
    }

    EndpointOptions options() {
        return options;
    }

    HubResources resources() {
        return resources;
    }

    Credits credits() {
        return credits;
    }

    Sender sender() {
        return sender;
    }

    LongBuffers longBuffers() {
        return longBuffers;
    }

    LongMessages longs() {
        return longs;
    }

    Lookups lookups() {
        return lookups;
    }

    Exports exports() {
        return exports;
    }

    Traffic traffic() {
        return traffic;
    }

    Messenger messenger() {
        return messenger;
    }

    Waits waits() {
        return waits;
    }

    Ending ending() {
        return ending;
    }

    int qpNumber() {
        return qp.number();
    }

    String peer() {
        return peer;
    }

    /// The address of the other side, as all messages and events have it.
    static String peer(ConnectionId id) {
        return Addresses.text(id.peerAddress());
    }

    /// What the hub brings.
    Arrivals arrivals() {
        return arrivals;
    }

    /// Whether it still works.
    Loss loss() {
        return loss;
    }

    boolean hasHandler() {
        return arrivals.hasHandler();
    }

    MemorySegment payload(int slot, int length) {
        return buffers.payload(slot, length);
    }

    byte[] copy(int slot, int length) {
        return buffers.segment(slot).asSlice(MessageHeader.BYTES, length).toArray(ValueLayout.JAVA_BYTE);
    }

    // ---- how it ends ----

    /// Another connection takes its place.
    void releaseForSuccessor() {
        try {
            ending.close();
        } catch (RuntimeException e) {
            EndpointEvents.closed(this, e.getMessage()); // the program knows
        }
    }

    // ---- waiting ----

    /// Handles what has come, if no other thread does.
    void progress() {
        hub.progress();
    }

    /// Handles what has come, for a caller that has done its work: an interrupt is left for its next wait, as is a poll
    /// that fails.
    void progressQuietly() {
        try {
            hub.progress();
        } catch (RuntimeException e) {
            HubSleep.keepInterrupt(e);
        }
    }

    /// The same after so many requests: a program that only sends asks for nothing that would tell it of the peer's
    /// end.
    void progressWhenDue() {
        if (sender.isProgressDue()) {
            progressQuietly();
        }
    }

    void watch() {
        hub.sleep().watch();
    }

    void unwatch() {
        hub.sleep().unwatch();
    }

    void leave(Runnable task) {
        hub.leave(task);
    }

    // ---- messages ----

    /// The program is done with a message.
    ///
    /// @param slot of its receive buffer, or [Slab#NONE]
    /// @param region of a long message, or null
    void release(int kind, int slot, MemoryRegion region) {
        // The queue of a connection of its own is gone with it.
        boolean isGone = loss.reason() != null && resources.sharedReceives() == null;
        buffers.release(isGone ? Slab.NONE : slot, credits);
        if (region != null) {
            longBuffers.give(region);
        }
        if (loss.reason() == null && (credits.areManyOwed() || isOfCall(kind) && credits.isPeerOutNow())) {
            sender.returnCredits();
        }
    }

    /// Whether the peer may need the credit of such a message for an answer.
    private static boolean isOfCall(int kind) {
        return kind == MessageHeader.REPLY || kind == MessageHeader.REQUEST;
    }

    /// Gives everything back, when nothing more is to be told to the peer.
    void releaseAll() {
        hub.leave(() -> {
            hub.pollAll(); // the buffers of messages that nobody asked for
            loss.onClosedHere();
        });
        hub.remove(qp.number());
        try {
            id.close();
        } finally {
            try {
                sender.close();
                hub.leave(arrivals::clear);
                longBuffers.close();
            } finally {
                onClosed.run();
            }
        }
    }
}
