package io.verbena.endpoint;

import io.verbena.verbs.MemoryRegion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/// A message that arrived: a view of registered memory, which goes back to the connection when the message is closed.
/// Until then the peer has a credit less. Used by one thread at a time.
///
/// ```java
/// try (Message message = connection.receive(Duration.ofSeconds(2))) {
///     IO.println(message.text());
/// }
/// ```
public final class Message implements AutoCloseable {
    private static final int LONG_BUFFER = -2;
    private static final int CLOSED = -1;
    private static final int DETACHED = -3;

    /// The kind of a request that was answered.
    private static final int ANSWERED = -MessageHeader.REQUEST;

    private final ConnectionLink connection;
    private int kind;
    private long number;
    private long length;

    /// The receive buffer, or one of the constants above.
    private int slot;

    /// Of a long message.
    private MemoryRegion region;

    /// Of a detached message.
    private byte[] copy;

    /// A view that is set with [#show].
    Message(ConnectionLink connection) {
        this.connection = connection;
        this.slot = CLOSED;
    }

    /// Shows a message in a receive buffer.
    void show(int newKind, long newNumber, int newSlot, int newLength) {
        kind = newKind;
        number = newNumber;
        slot = newSlot;
        length = newLength;
    }

    /// In a receive buffer.
    Message(ConnectionLink connection, int kind, long number, int slot, int length) {
        this.connection = connection;
        this.kind = kind;
        this.number = number;
        this.slot = slot;
        this.length = length;
    }

    /// In memory of its own.
    Message(ConnectionLink connection, int kind, long number, MemoryRegion region, long length) {
        this.connection = connection;
        this.kind = kind;
        this.number = number;
        this.slot = LONG_BUFFER;
        this.region = region;
        this.length = length;
    }

    /// The same in memory of the heap. This one is closed.
    Message detached() {
        Message message = new Message(connection, kind, number, DETACHED, (int) length);
        message.copy = bytes();
        close();
        return message;
    }

    /// Whether it was read from the peer's memory. While it is open.
    boolean isLong() {
        return slot == LONG_BUFFER;
    }

    private void requireOpen() {
        if (slot == CLOSED) {
            throw new IllegalStateException("the message is closed; its memory may hold another one");
        }
    }

    /// The connection that it came by.
    public Connection connection() {
        return connection.connection();
    }

    /// How many bytes it has.
    public long length() {
        return length;
    }

    /// Its bytes, which must not be used once the message is closed.
    public MemorySegment memory() {
        requireOpen();
        return switch (slot) {
            case LONG_BUFFER -> region.memory().asSlice(0, length);
            case DETACHED -> MemorySegment.ofArray(copy);
            default -> connection.payload(slot, (int) length);
        };
    }

    /// A copy of its bytes.
    public byte[] bytes() {
        return memory().toArray(ValueLayout.JAVA_BYTE);
    }

    /// Its bytes as a text in UTF-8.
    public String text() {
        return new String(bytes(), StandardCharsets.UTF_8);
    }

    /// Whether the peer waits for an answer: the message came by [Connection#call].
    public boolean isRequest() {
        return Math.abs(kind) == MessageHeader.REQUEST;
    }

    /// Answers a request, once. Waits for credits as [Connection#send] does.
    public void reply(MemorySegment bytes) {
        if (!isRequest()) {
            throw new IllegalStateException("the peer waits for no answer: it sent a message and made no call");
        }
        if (kind == ANSWERED) {
            throw new IllegalStateException("the request was answered before; each has one answer");
        }
        connection.messenger().send(MessageHeader.REPLY, number, bytes);
        kind = ANSWERED;
    }

    /// Answers a request.
    public void reply(byte[] bytes) {
        reply(MemorySegment.ofArray(bytes));
    }

    /// Answers a request with the bytes of a message that was received, which may be the request itself.
    public void reply(Message message) {
        reply(message.memory());
    }

    /// Answers a request with a text in UTF-8.
    public void reply(String text) {
        reply(text.getBytes(StandardCharsets.UTF_8));
    }

    /// Gives the memory back. Closing twice is fine.
    @Override
    public void close() {
        int was = slot;
        if (was == CLOSED) {
            return;
        }
        slot = CLOSED;
        copy = null;
        if (was != DETACHED) {
            connection.release(Math.abs(kind), was == LONG_BUFFER ? Slab.NONE : was, region);
            region = null;
        }
    }

    @Override
    public String toString() {
        return (slot == CLOSED ? "closed message of " : "message of ") + length + " bytes from " + connection.peer();
    }
}
