package io.verbena.endpoint;

import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.ConnectionId;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/// What is behind a [Connection]: the queue pair, the halves that send and receive, what is under way, and how it ends.
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
    private final Sender sender;
    private final Receiver receiver;
    private final Calls calls = new Calls();
    private final Transfers transfers;

    /// Of this connection only: the peer could read what is in such a buffer later, because it knows the key.
    private final LongBuffers longBuffers;

    private final LongMessages longs;
    private final Lookups lookups;
    private final Exports exports;
    private final Traffic traffic = new Traffic();
    private final Messenger messenger;
    private final Ending ending;

    /// Threads that wait for credits or room. Of the owner of the hub.
    private final ArrayDeque<Waiter> writers = new ArrayDeque<>(2);

    private volatile RuntimeException loss;

    /// Null while the program asks for messages by itself.
    private volatile EventDelivery delivery;

    private final AtomicBoolean hasHandler = new AtomicBoolean();
    private Runnable onHandled;
    /// Whether the program was told of the loss, or that the peer has closed.
    private volatile boolean isEndKnown;

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
        this.id = id;
        this.qp = id.queuePair();
        this.buffers = buffers;
        this.exports = exports;
        this.onClosed = onClosed;
        InetSocketAddress address = id.peerAddress();
        peer = address.getAddress().getHostAddress() + ":" + address.getPort();
        sender = new Sender(
                qp,
                resources.sendBuffers(),
                resources.scratches(),
                peerOffers,
                options.credits(),
                options.sendRequests());
        receiver = new Receiver(this, buffers);
        longBuffers = new LongBuffers(resources.protectionDomain());
        // Each has an answer of the peer, for which this side has posted a receive.
        transfers = new Transfers(this, Math.min(peerOffers.longMessages(), LongMessages.MOST_ANNOUNCED));
        longs = new LongMessages(this, sender, transfers, longBuffers, options);
        lookups = new Lookups(this, sender);
        messenger = new Messenger(this, hub, sender, receiver, longs, calls, traffic);
        ending = new Ending(this, id, sender, transfers);
        hub.add(qp.number(), this);
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

    Ending ending() {
        return ending;
    }

    int qpNumber() {
        return qp.number();
    }

    String peer() {
        return peer;
    }

    RuntimeException loss() {
        return loss;
    }

    MemorySegment payload(int slot, int length) {
        return buffers.payload(slot, length);
    }

    byte[] copy(int slot, int length) {
        return buffers.segment(slot).asSlice(MessageHeader.BYTES, length).toArray(ValueLayout.JAVA_BYTE);
    }

    // ---- what the owner of the hub brings ----

    void onCompletion(WorkCompletion completion) {
        long wrId = completion.wrId();
        CompletionStatus status = completion.status();
        if (wrId < 0) {
            if (status == CompletionStatus.SUCCESS) {
                receiver.onReceived((int) wrId, completion.byteLength());
            } else {
                if (resources.sharedReceives() != null) {
                    buffers.release((int) wrId); // other connections need it
                }
                onLost(status);
            }
            return;
        }
        if (status != CompletionStatus.SUCCESS) {
            onLost(status);
        }
        sender.onCompleted((int) wrId, status);
        finishWriters();
    }

    void onGranted(int credits) {
        sender.grant(credits);
        finishWriters();
    }

    void onControl(int kind, int flags, long number, byte[] payload) {
        switch (kind) {
            case MessageHeader.CREDITS -> {}
            case MessageHeader.DONE -> {
                transfers.onDone(number, (flags & MessageHeader.REFUSED) != 0);
                finishWriters();
            }
            case MessageHeader.FIND -> exports.onFind(this, number, payload);
            case MessageHeader.FOUND, MessageHeader.NOT_FOUND ->
                lookups.onAnswer(kind == MessageHeader.FOUND, number, payload);
            case MessageHeader.REVOKE -> lookups.onRevoke(number);
            case MessageHeader.REVOKED -> exports.onRevoked(this, number);
            case MessageHeader.END -> onEnd((flags & MessageHeader.HAS_ALL) != 0);
            default -> throw new IllegalStateException("the peer sent a message of unknown kind " + kind);
        }
    }

    private void onEnd(boolean hasAll) {
        receiver.onEnd();
        ending.onEnd(hasAll);
        finishWriters();
    }

    void onReply(long number, Object message) {
        Pending call = calls.remove(number);
        if (message instanceof Announcement announcement) {
            if (call == null) {
                longs.skip(announcement);
            } else {
                longs.fetch(new Fetch(announcement, call), List.of());
            }
        } else if (call == null) {
            ((Message) message).close(); // the caller gave up
        } else {
            Message reply = (Message) message;
            traffic.onReceived(reply.length(), false);
            // An answer that nobody waits for just now must not take the receive buffers of other messages.
            call.onReply(call.isAwaited() ? reply : reply.detached());
        }
    }

    /// From now on a handler gets what comes.
    ///
    /// @param whenOver what to do after the handler was told of the end
    void handle(ConnectionHandler handler, boolean isNew, Runnable whenOver) {
        if (hasHandler.getAndSet(true)) {
            throw new IllegalStateException("the connection has a handler already");
        }
        hub.sleep().watchSpinning();
        hub.leave(() -> {
            onHandled = whenOver;
            delivery = new EventDelivery(this, handler);
            if (isNew) {
                delivery.onConnected();
            }
            receiver.deliverTo(delivery);
            if (loss != null) {
                delivery.onLost(loss);
            }
        });
    }

    /// The handler was told of the end.
    void onHandled() {
        hub.sleep().unwatchSpinning();
        onHandled.run();
    }

    /// The program was refused a message. From any thread.
    void wantRoom() {
        EventDelivery told = delivery;
        if (told != null) {
            told.wantRoom();
            if (sender.hasRoom()) {
                hub.leave(told::onRoom); // credits came in between
            }
        }
    }

    private void finishWriters() {
        if (!writers.isEmpty()) {
            writers.removeIf(Waiter::tryFinish);
        }
        if (delivery != null) {
            delivery.onRoom();
        }
        longs.goOn();
    }

    // ---- how it ends ----

    /// A request failed or was flushed: the queue pair is in the error state.
    private void onLost(CompletionStatus status) {
        if (loss == null) {
            fail(lost(status));
        }
    }

    private RdmaException lost(CompletionStatus status) {
        return lost(status == CompletionStatus.WORK_REQUEST_FLUSHED ? reasonOfEvent() : status.explain());
    }

    private RdmaException lost(String why) {
        return new RdmaException(
                "use the connection",
                Errno.ECONNRESET,
                ending.hasPeerEnded()
                        ? peer + " has closed the connection"
                        : "the connection to %s is lost: %s; connect again"
                                .formatted(peer, why.isEmpty() ? "the peer has left without closing it" : why));
    }

    /// An id without an event channel keeps its last event.
    private String reasonOfEvent() {
        CmEvent event = id.channel() == null ? id.event() : null;
        return event == null ? "" : event.explanation();
    }

    /// The connection manager says that the connection is over. From any thread.
    void onDisconnected(String explanation) {
        ending.onDisconnected();
        hub.leave(() -> {
            hub.pollAll(); // what came before
            if (loss == null) {
                fail(lost(explanation));
            }
        });
    }

    /// Nothing more comes or goes. Of the owner of the hub.
    void fail(RuntimeException reason) {
        if (loss == null) {
            loss = reason instanceof RdmaException
                    ? reason
                    : new RdmaException("use the connection", Errno.EIO, reason.getMessage(), reason);
            breakOff(reason);
            EndpointEvents.lost(this, loss, ending.hasPeerEnded() || ending.isClosing());
        }
        receiver.finishReaders();
        finishWriters();
        if (delivery != null) {
            delivery.onLost(loss);
        }
        transfers.fail(loss);
        calls.fail(loss);
        lookups.fail(loss);
        exports.onGone(this);
    }

    /// A peer that does not follow the protocol is not listened to any more.
    private void breakOff(RuntimeException reason) {
        if (!(reason instanceof RdmaException)) {
            try {
                qp.modify(QueuePairChange.to(QueuePairState.ERR));
            } catch (RdmaException e) {
                EndpointEvents.closed(this, e.getMessage());
            }
        }
    }

    /// The reason for a request that failed.
    RuntimeException lossOr(String what, CompletionStatus status) {
        RuntimeException reason = loss;
        return reason != null
                ? reason
                : new RdmaException(what, Errno.ECONNRESET, "with %s: %s".formatted(peer, status.explain()));
    }

    private RdmaException closedHere() {
        return new RdmaException("use the connection", Errno.EBADF, "it was closed by this program");
    }

    /// The program is being told why something failed.
    RuntimeException told(RuntimeException reason) {
        isEndKnown |= reason == loss;
        return reason;
    }

    /// The program is being told that the peer has closed.
    void onEndTold() {
        isEndKnown = true;
    }

    /// Whether it is over, not by this program, and this program was told.
    boolean isKnownToBeOver() {
        return isEndKnown && !ending.isClosing() && (loss != null || ending.hasPeerEnded());
    }

    /// Another connection takes its place.
    void releaseForSuccessor() {
        try {
            ending.close();
        } catch (RuntimeException e) {
            EndpointEvents.closed(this, e.getMessage()); // the program knows
        }
    }

    void requireOpen() {
        if (ending.isClosing()) {
            throw closedHere();
        }
        if (loss != null) {
            isEndKnown = true;
            throw loss;
        }
    }

    /// After all messages of the peer were received: fails unless the peer ended the connection in good order.
    void requireOpenOrEnded() {
        if (ending.isClosing() || !ending.hasPeerEnded()) {
            requireOpen();
        }
    }

    boolean isOver() {
        return loss != null || ending.isClosing();
    }

    /// A loss that the program was not told of, although messages of it may be lost; null otherwise.
    RuntimeException unknownLoss() {
        return ending.hasPeerEnded() || isEndKnown || sender.isIdle() ? null : loss;
    }

    // ---- waiting ----

    /// Handles what has come, if no other thread does.
    void progress() {
        hub.progress();
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

    /// @throws RdmaException `ETIMEDOUT`, `EINTR`
    void await(Waiter waiter, Duration timeout, String what) {
        long timeoutNs = nanoseconds(timeout);
        if (hub.spin(waiter, timeoutNs) != null) {
            return;
        }
        if (timeoutNs <= 0 || !sleep(waiter, timeoutNs)) {
            throw new RdmaException(what, Errno.ETIMEDOUT, "%s did not answer within %s".formatted(peer, timeout));
        }
    }

    /// Waits without spinning; false when the time is over.
    boolean sleep(Waiter waiter, long timeoutNs) {
        EndpointEvents.SlowWait event = EndpointEvents.beginWait();
        try {
            return hub.sleep().sleep(waiter, timeoutNs);
        } finally {
            EndpointEvents.endWait(event, this);
        }
    }

    static long nanoseconds(Duration timeout) {
        try {
            return timeout.toNanos();
        } catch (ArithmeticException tooLong) {
            return Long.MAX_VALUE;
        }
    }

    /// Waits until something can be posted. The caller tries again then.
    void awaitRoom(BooleanSupplier hasRoom, String what) {
        traffic.onWait();
        awaitWhileOpen(() -> ending.isClosing() || hasRoom.getAsBoolean(), options.timeout(), what);
        requireOpen();
    }

    /// Waits until the condition holds, or the connection is lost.
    void awaitWhileOpen(BooleanSupplier condition, Duration timeout, String what) {
        await(
                new Waiter() {
                    @Override
                    boolean isReady() {
                        return loss != null || condition.getAsBoolean();
                    }

                    @Override
                    void enlist() {
                        writers.add(this);
                    }
                },
                timeout,
                what);
    }

    // ---- messages ----

    /// A message, or its announcement, that was taken and is not delivered. Of the owner of the hub.
    void putBack(Object message) {
        receiver.putBack(message);
    }

    boolean hasHandler() {
        return delivery != null;
    }

    /// The program is done with a message.
    ///
    /// @param slot of its receive buffer, or [Slab#NONE]
    /// @param region of a long message, or null
    void release(int slot, MemoryRegion region) {
        // The queue of a connection of its own is gone with it.
        if (slot != Slab.NONE && (loss == null || resources.sharedReceives() != null)) {
            buffers.release(slot);
        }
        if (region != null) {
            longBuffers.give(region);
        }
        if (loss == null) {
            sender.onReleased();
        }
    }

    /// Gives everything back, when nothing more is to be told to the peer.
    void releaseAll() {
        hub.leave(() -> {
            hub.pollAll(); // the buffers of messages that nobody asked for
            fail(closedHere());
        });
        hub.remove(qp.number());
        try {
            id.close();
        } finally {
            try {
                sender.close();
                hub.leave(() -> {
                    receiver.clear();
                    if (delivery != null) {
                        delivery.clear();
                    }
                });
                longBuffers.close();
            } finally {
                onClosed.run();
            }
        }
    }
}
