package io.verbena.endpoint;

import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.CompletionStatus;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/// What the owner of the hub brings for a connection: completions, messages of the protocol, answers to calls, room to
/// send. All of it belongs to the owner, but for [#handle] and [#wantRoom].
final class Arrivals implements Hub.Target {
    private final ConnectionLink connection;
    private final int qpNumber;
    private final ReceiveBuffers buffers;
    private final Sender sender;
    private final Receiver receiver;
    private final Transfers transfers;
    private final Calls calls;

    /// Null while the program asks for messages by itself.
    private volatile EventDelivery delivery;

    private final AtomicBoolean hasHandler = new AtomicBoolean();

    /// Whether a message was refused before the handler was there.
    private boolean isRoomWanted;

    private Runnable onHandled;

    Arrivals(
            ConnectionLink connection,
            ReceiveBuffers buffers,
            Sender sender,
            Receiver receiver,
            Transfers transfers,
            Calls calls) {
        this.connection = connection;
        this.qpNumber = connection.qpNumber();
        this.buffers = buffers;
        this.sender = sender;
        this.receiver = receiver;
        this.transfers = transfers;
        this.calls = calls;
    }

    // ---- completions ----

    @Override
    public int qpNumber() {
        return qpNumber;
    }

    @Override
    public void onCompletion(WorkCompletion completion) {
        onCompletion(completion.wrId(), completion.status(), completion.byteLength());
    }

    void onCompletion(long wrId, CompletionStatus status, long bytes) {
        if (wrId < 0) {
            onReceive(wrId, status, bytes);
            return;
        }
        if (status != CompletionStatus.SUCCESS) {
            connection.loss().onFailed(status);
        }
        sender.onCompleted((int) wrId, status);
        onRoom();
    }

    private void onReceive(long wrId, CompletionStatus status, long bytes) {
        if (status == CompletionStatus.SUCCESS) {
            receiver.onReceived((int) wrId, bytes);
        } else {
            if (connection.resources().sharedReceives() != null) {
                buffers.release((int) wrId); // other connections need it
            }
            connection.loss().onFailed(status);
        }
    }

    @Override
    public void fail(RuntimeException reason) {
        connection.loss().fail(reason);
    }

    // ---- messages ----

    void onGranted(int returned) {
        connection.credits().grant(returned);
        onRoom();
    }

    void onControl(int kind, int flags, long number, byte[] payload) {
        switch (kind) {
            case MessageHeader.CREDITS -> {}
            case MessageHeader.DONE -> {
                transfers.onDone(number, (flags & MessageHeader.REFUSED) != 0);
                onRoom();
            }
            case MessageHeader.FIND -> connection.exports().onFind(connection, number, payload);
            case MessageHeader.FOUND, MessageHeader.NOT_FOUND ->
                connection.lookups().onAnswer(kind == MessageHeader.FOUND, number, payload);
            case MessageHeader.REVOKE -> connection.lookups().onRevoke(number);
            case MessageHeader.REVOKED -> connection.exports().onRevoked(connection, number);
            case MessageHeader.END -> onEnd(flags, number);
            default -> throw new IllegalStateException("the peer sent a message of unknown kind " + kind);
        }
    }

    private void onEnd(int flags, long number) {
        connection.ending().onEnd(flags, (int) number); // first: a reader may close the connection at once
        receiver.onEnd();
        connection.loss().onEndArrived();
        onRoom();
    }

    void onReply(long number, Object message) {
        Pending call = calls.remove(number);
        if (message instanceof Announcement announcement) {
            if (call == null) {
                connection.longs().skip(announcement);
            } else {
                connection.longs().fetch(new Fetch(announcement, call), List.of());
            }
        } else if (call == null) {
            ((Message) message).close(); // the caller gave up
        } else {
            Message reply = (Message) message;
            connection.traffic().onReceived(reply.length(), false);
            // An answer that nobody waits for just now must not take the receive buffers of other messages.
            call.onReply(call.isAwaited() ? reply : reply.detached());
        }
    }

    /// How many messages of the peer the program has taken that are no answers, modulo 2^32.
    int taken() {
        return receiver.taken();
    }

    /// A long message is here.
    void onRead() {
        receiver.finishReaders();
    }

    /// There may be room to send, or the connection is over.
    void onRoom() {
        connection.waits().finishWriters();
        if (delivery != null) {
            delivery.onRoom();
        }
        connection.longs().goOn();
    }

    // ---- handlers ----

    /// From now on a handler gets what comes. From any thread.
    ///
    /// @param whenOver what to do after the handler was told of the end
    void handle(ConnectionHandler handler, boolean isNew, Runnable whenOver) {
        if (hasHandler.getAndSet(true)) {
            throw new IllegalStateException("the connection has a handler already");
        }
        Hub hub = connection.resources().hub();
        hub.sleep().watchSpinning();
        hub.leave(() -> {
            onHandled = whenOver;
            delivery = new EventDelivery(connection, handler);
            if (isNew) {
                delivery.onConnected();
            }
            receiver.deliverTo(delivery);
            if (isRoomWanted) {
                onRoomWanted();
            }
            tellLoss();
        });
    }

    boolean hasHandler() {
        return delivery != null;
    }

    /// Whether a handler gets what comes, or soon will.
    boolean isHandled() {
        return hasHandler.get();
    }

    /// The handler was told of the end.
    void onHandled() {
        connection.resources().hub().sleep().unwatchSpinning();
        onHandled.run();
    }

    /// The program was refused a message. From any thread. The owner may not have come to the handler yet.
    void wantRoom() {
        if (hasHandler.get()) {
            connection.leave(this::onRoomWanted);
        }
    }

    private void onRoomWanted() {
        isRoomWanted = delivery == null;
        if (delivery != null) {
            delivery.wantRoom();
            delivery.onRoom(); // credits may have come in between
        }
    }

    // ---- the end ----

    /// The connection is over: tells whoever waits for something of it.
    void onLost() {
        receiver.finishReaders();
        onRoom();
        tellLoss();
    }

    private void tellLoss() {
        RuntimeException reason = connection.loss().reason();
        if (delivery != null && reason != null) {
            delivery.onLost(reason);
        }
    }

    /// Gives back the buffers of messages that nobody asked for.
    void clear() {
        receiver.clear();
        if (delivery != null) {
            delivery.clear();
        }
    }
}
