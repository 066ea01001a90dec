package io.verbena.endpoint;

import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.RdmaException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Objects;

/// What a program does with messages and calls of a connection. Any thread.
final class Messenger {
    private static final Object END = new Object();

    private final ConnectionLink connection;
    private final Hub hub;
    private final Sender sender;
    private final Receiver receiver;
    private final LongMessages longs;
    private final Calls calls;
    private final Traffic traffic;
    private final Hub.Source incoming = this::nextIncoming;

    /// What a thread does that waits.
    private final String receiving;

    private final String sending;

    Messenger(
            ConnectionLink connection,
            Hub hub,
            Sender sender,
            Receiver receiver,
            LongMessages longs,
            Calls calls,
            Traffic traffic) {
        this.connection = connection;
        this.hub = hub;
        this.sender = sender;
        this.receiver = receiver;
        this.longs = longs;
        this.calls = calls;
        this.traffic = traffic;
        this.receiving = "receive from " + connection.peer();
        this.sending = "send to " + connection.peer();
    }

    // ---- receiving ----

    private Object nextIncoming() {
        Object next = connection.ending().takesNoMore() ? null : receiver.next();
        return next == null && isAtEnd() ? END : next;
    }

    private boolean isAtEnd() {
        return connection.loss().isOver() || receiver.isEnded() && receiver.isEmpty();
    }

    private final class Reader extends Waiter {
        private Object taken;

        @Override
        boolean isReady() {
            return receiver.isNextHere() || isAtEnd();
        }

        @Override
        void take() {
            taken = nextIncoming();
        }

        @Override
        void enlist() {
            receiver.addReader(this);
        }
    }

    Message receive(Duration timeout) {
        requireNoHandler();
        Object taken = hub.spin().spin(incoming, 0); // most often something is there, and nobody need know the time
        return message(taken == null ? await(timeout) : taken);
    }

    private Object await(Duration timeout) {
        long timeoutNs = Waits.nanoseconds(timeout);
        long beganNs = System.nanoTime();
        Object taken = hub.spin().spin(incoming, timeoutNs);
        if (taken != null) {
            return taken;
        }
        Reader reader = new Reader();
        if (!connection.waits().sleep(reader, timeoutNs, beganNs, receiving)) {
            throw new RdmaException(
                    receiving,
                    Errno.ETIMEDOUT,
                    "no message within %s; the peer may have sent none, or wait until this program closes messages that it holds open"
                            .formatted(Waits.seconds(timeout)));
        }
        return reader.taken;
    }

    private void requireNoHandler() {
        if (connection.arrivals().isHandled()) {
            throw new IllegalStateException(
                    "the handler of this connection takes its messages, so nothing is left to receive");
        }
    }

    Message tryReceive() {
        requireNoHandler();
        Object taken = hub.spin().spin(incoming, 0);
        return taken == null ? null : message(taken);
    }

    /// Null at the end.
    private Message message(Object taken) {
        if (taken instanceof Message message) {
            traffic.onReceived(message.length(), false);
            return message;
        }
        if (taken instanceof Fetch fetch) {
            return fetch.fetched().reply();
        }
        connection.loss().requireOpenOrEnded();
        connection.loss().onEndTold();
        connection.loss().requirePeerWell();
        return null;
    }

    // ---- sending ----

    void send(int kind, long number, MemorySegment bytes) {
        long length = bytes.byteSize();
        if (kind == MessageHeader.REPLY && connection.loss().hasNoUseFor(kind)) {
            connection.loss().requireOpen(); // else it is dropped
        } else if (length > sender.longestEager()) {
            longs.send(kind, number, bytes, problem -> onRefused(kind, number, problem));
        } else {
            sendEager(kind, number, bytes, (int) length, null);
        }
    }

    /// The peer takes no message of this length, and no [Pending] tells the program so. Of the owner of the hub.
    private void onRefused(int kind, long number, RdmaException problem) {
        Pending call = kind == MessageHeader.REQUEST ? calls.remove(number) : null;
        if (call != null) {
            call.finish(problem);
        } else if (kind == MessageHeader.MESSAGE) {
            EndpointEvents.failed(connection.peer(), "sending", problem);
        }
    }

    void sendEager(int kind, long number, MemorySegment bytes, int length, SentRequest tracked) {
        connection.loss().requireOpenFor(kind);
        while (!sender.trySend(kind, 0, number, bytes, 0, length, tracked)) {
            if (!connection.waits().awaitRoomFor(kind, () -> sender.hasRoomFor(kind), sending)) {
                return;
            }
        }
        traffic.onSent(length, false);
        connection.progressWhenDue();
    }

    boolean trySend(MemorySegment bytes) {
        if (bytes.byteSize() > sender.longestEager()) {
            throw new RdmaException(
                    "send",
                    Errno.EMSGSIZE,
                    "%d bytes do not fit a receive buffer of the peer, which takes %d; use send or sendAsync"
                            .formatted(bytes.byteSize(), sender.longestEager()));
        }
        connection.progress();
        connection.loss().requireOpenFor(MessageHeader.MESSAGE);
        boolean sent = sender.trySend(MessageHeader.MESSAGE, 0, 0, bytes, 0, (int) bytes.byteSize(), null);
        if (sent) {
            traffic.onSent(bytes.byteSize(), false);
        } else {
            connection.arrivals().wantRoom();
        }
        return sent;
    }

    /// Ends when the peer has the message.
    Pending sendTracked(MemorySegment bytes) {
        if (bytes.byteSize() > sender.longestEager()) {
            return longs.send(MessageHeader.MESSAGE, 0, bytes, _ -> {});
        }
        Pending sent = new Pending(
                connection, () -> "send a message of " + bytes.byteSize() + " bytes to " + connection.peer());
        sendEager(MessageHeader.MESSAGE, 0, bytes, (int) bytes.byteSize(), sent);
        return sent;
    }

    /// From registered memory, which may be changed at the end.
    Pending sendFrom(MemoryRegion region, long offset, long length) {
        Objects.checkFromIndexSize(offset, length, region.length());
        if (length > sender.longestEager()) {
            return longs.send(MessageHeader.MESSAGE, 0, region, offset, length);
        }
        Pending sent = new Pending(connection, () -> "send");
        sendEager(MessageHeader.MESSAGE, 0, region.memory().asSlice(offset, length), (int) length, null);
        sent.finish(null); // the bytes were copied
        return sent;
    }

    // ---- calls ----

    Pending callAsync(MemorySegment request) {
        connection.loss().requireOpenFor(MessageHeader.REQUEST);
        Pending call = new Pending(connection, () -> "call " + connection.peer());
        long number = calls.add(call);
        if (number == 0) {
            throw new RdmaException("call", Errno.EAGAIN, "too many calls have no answer yet; await some first");
        }
        try {
            send(MessageHeader.REQUEST, number, request);
        } catch (RuntimeException e) {
            calls.remove(number);
            throw e;
        }
        return call;
    }

    Message call(MemorySegment request, Duration timeout) {
        Pending call = callAsync(request);
        try {
            call.await(timeout);
        } catch (RuntimeException e) {
            if (calls.remove(call.number()) == null) {
                if (call.isDone()) { // it came at the last moment
                    HubSleep.keepInterrupt(e);
                    return call.reply();
                }
                // A long answer is being read.
                hub.leave(() -> call.onEnded(problem -> {
                    if (problem == null) {
                        call.reply().close();
                    }
                }));
            }
            throw e;
        }
        return call.reply();
    }
}
