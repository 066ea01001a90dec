package io.verbena.endpoint;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;

/// The receiving half of a connection: takes messages out of receive buffers, and keeps those that the program has not
/// asked for yet. All of it belongs to the owner of the hub.
final class Receiver {
    private static final int LEAST_READERS = 16;

    private final ConnectionLink connection;
    private final ReceiveBuffers buffers;

    /// Each a [Message], or a [Fetch] of one.
    private final ArrayDeque<Object> inbox = new ArrayDeque<>(4);

    private final ArrayDeque<Waiter> readers = new ArrayDeque<>(2);
    private int mostReaders = LEAST_READERS;
    private boolean ended;

    /// How many messages came that are no answers, modulo 2^32.
    private int arrived;

    /// Null while the program asks for messages by itself.
    private EventDelivery delivery;

    Receiver(ConnectionLink connection, ReceiveBuffers buffers) {
        this.connection = connection;
        this.buffers = buffers;
    }

    /// A buffer was filled by the peer.
    void onReceived(int slot, long bytes) {
        if (connection.loss().reason() != null) {
            buffers.release(slot);
            return;
        }
        MemorySegment buffer = buffers.segment(slot);
        long first = bytes < MessageHeader.BYTES ? 0 : MessageHeader.first(buffer);
        int kind = MessageHeader.kind(first);
        int length = MessageHeader.length(first);
        int flags = MessageHeader.flags(first);
        if (kind == 0
                || kind > MessageHeader.END
                || length != bytes - MessageHeader.BYTES
                || (flags & MessageHeader.LONG) != 0 && length != MessageHeader.LONG_BYTES) {
            buffers.release(slot);
            throw new IllegalStateException(
                    "the peer sent %d bytes that are no message of the endpoint protocol".formatted(bytes));
        }
        if (MessageHeader.credits(first) > 0) {
            connection.arrivals().onGranted(MessageHeader.credits(first));
        }
        long number = MessageHeader.number(buffer);
        if (MessageHeader.needsCredit(kind)) {
            if (!connection.credits().countReceived()) {
                buffers.release(slot);
                throw new IllegalStateException("the peer sent more messages than it has credits for");
            }
            if (connection.credits().isPeerOut()) {
                connection.sender().returnCredits();
            }
        } else {
            byte[] payload = length == 0 ? ConnectionLink.NO_BYTES : connection.copy(slot, length);
            buffers.release(slot);
            connection.arrivals().onControl(kind, flags, number, payload);
            return;
        }
        if (kind != MessageHeader.REPLY) {
            if (ended) {
                buffers.release(slot);
                throw new IllegalStateException("the peer sent a message after its last one");
            }
            if (connection.ending().takesNoMore()) {
                buffers.release(slot); // dropped: the peer was told how many messages were taken
                return;
            }
            arrived++;
        }
        if ((flags & MessageHeader.LONG) != 0) {
            Announcement announcement = Announcement.decode(kind, number, buffer);
            buffers.release(slot); // the credit is returned when the program is done with the message
            onAnnouncement(announcement);
        } else if (delivery != null && kind != MessageHeader.REPLY) {
            delivery.onMessage(kind, number, slot, length);
        } else {
            onMessage(new Message(connection, kind, number, slot, length), kind, number);
        }
    }

    private void onMessage(Message message, int kind, long number) {
        if (kind == MessageHeader.REPLY) {
            connection.arrivals().onReply(number, message);
        } else {
            inbox.add(message);
            finishReaders();
        }
    }

    private void onAnnouncement(Announcement announcement) {
        if (announcement.kind() == MessageHeader.REPLY) {
            connection.arrivals().onReply(announcement.number(), announcement);
        } else if (delivery != null) {
            delivery.onAnnouncement(new Fetch(connection, announcement));
        } else {
            inbox.add(new Fetch(connection, announcement));
            finishReaders();
        }
    }

    /// From now on messages go to a handler, those that wait already first.
    void deliverTo(EventDelivery to) {
        delivery = to;
        for (Object next = inbox.poll(); next != null; next = inbox.poll()) {
            deliver(next);
        }
        if (ended) {
            to.onEnd();
        }
    }

    private void deliver(Object next) {
        if (next instanceof Message message) {
            delivery.onMessage(message);
        } else {
            delivery.onAnnouncement((Fetch) next);
        }
    }

    /// Whether the program can have the next message, or learn why it could not be read. To ask is to want it: a long
    /// message is read from then on, and stays here until it has come, whoever waits for it.
    boolean isNextHere() {
        Object next = inbox.peek();
        if (next instanceof Fetch fetch) {
            connection.longs().fetch(fetch, inbox);
            return fetch.fetched().isEnded();
        }
        return next != null;
    }

    /// The next message, or a [Fetch] of it that has ended; null when it is not here.
    Object next() {
        if (!isNextHere()) {
            return null;
        }
        Object next = inbox.poll();
        if (next instanceof Fetch fetch && fetch.isWantedAgain()) {
            inbox.addFirst(new Fetch(connection, fetch.announcement()));
        }
        if (ended && inbox.isEmpty()) {
            connection.loss().onAllReceived();
        }
        return next;
    }

    boolean isEmpty() {
        return inbox.isEmpty();
    }

    /// How many messages the program has taken that are no answers, modulo 2^32.
    int taken() {
        return arrived - waiting();
    }

    private int waiting() {
        return inbox.size() + (delivery == null ? 0 : delivery.waiting());
    }

    void onEnd() {
        ended = true;
        if (waiting() == 0) {
            connection.loss().onAllReceived();
        }
        if (delivery != null) {
            delivery.onEnd();
        }
        finishReaders();
    }

    boolean isEnded() {
        return ended;
    }

    /// Forgets those that gave up whenever there are twice as many as waited then.
    void addReader(Waiter reader) {
        if (readers.size() >= mostReaders) {
            readers.removeIf(Waiter::isOver);
            mostReaders = Math.max(LEAST_READERS, 2 * readers.size());
        }
        readers.add(reader);
    }

    /// For tests.
    int readers() {
        return readers.size();
    }

    void finishReaders() {
        while (!readers.isEmpty() && readers.peek().tryFinish()) {
            readers.poll();
        }
    }

    /// Gives back the buffers of messages that nobody asked for.
    void clear() {
        for (Object message = inbox.poll(); message != null; message = inbox.poll()) {
            if (message instanceof Message received) {
                received.close();
            }
        }
    }
}
