package io.verbena.endpoint;

import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.attr.Access;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// A connection to a peer: messages of any length in both directions, calls with answers, and the memory that the peer
/// exports. Made by [Endpoint#connect] and by servers. Any number of threads, platform or virtual, may use it at once.
///
/// ```java
/// try (Connection connection = Endpoint.connect("10.0.0.2", 7471)) {
///     connection.send("hello");
///     try (Message answer = connection.receive(Duration.ofSeconds(2))) {
///         IO.println(answer.text());
///     }
/// }
/// ```
///
/// A message that was sent arrives once, in order and unchanged, or the connection ends with an error. Sending waits
/// while the peer has not taken earlier messages. Nothing is encrypted: whoever can read the network can read the
/// messages, and see the keys of exported memory.
public final class Connection implements AutoCloseable, Iterable<Message> {
    /// The present one; another one after the program was told of the end of this one, if it connects again.
    private volatile ConnectionLink link;

    /// Connects again; null for a connection that stays lost.
    private volatile Supplier<ConnectionLink> successor;

    private final ReentrantLock connecting = new ReentrantLock();
    private volatile int reconnections;

    /// Whether the present link was given back, and there is no other one yet.
    private volatile boolean isBetween;

    /// The caller's own object.
    private volatile Object attachment;

    Connection(ConnectionLink link) {
        this.link = link;
    }

    /// To be called before the program has it.
    Connection connectingAgainBy(Supplier<ConnectionLink> connector) {
        successor = connector;
        return this;
    }

    /// What to work with.
    ConnectionLink link() {
        ConnectionLink now = link;
        return successor != null && (isBetween || now.loss().isKnownToBeOver()) ? connectAgain() : now;
    }

    private ConnectionLink connectAgain() {
        connecting.lock();
        try {
            ConnectionLink over = link;
            Supplier<ConnectionLink> by = successor;
            if (by != null && (isBetween || over.loss().isKnownToBeOver())) {
                over.resources().hub().sleep().requireNoHandler();
                isBetween = true;
                over.releaseForSuccessor(); // again when connecting failed before, which does nothing
                ConnectionLink next = by.get();
                next.connection(this);
                reconnections++;
                link = next;
                isBetween = false;
            }
            return link;
        } finally {
            connecting.unlock();
        }
    }

    /// How often it was connected again: see [EndpointOptions#reconnect(boolean)].
    public int reconnections() {
        return reconnections;
    }

    /// Whom it is connected to: address and port.
    public String peer() {
        return link.peer();
    }

    /// The caller's own object; null unless it was set.
    public Object attachment() {
        return attachment;
    }

    /// Sets the caller's own object.
    public void attachment(Object object) {
        attachment = object;
    }

    /// What it has done so far, since it was connected last.
    public ConnectionStatistics statistics() {
        return link.traffic().statistics();
    }

    /// Why the connection is over: it was lost, or a side has closed it; null while it works. What has arrived can
    /// still be received. Handles what has come, so that the answer is a new one.
    public RuntimeException loss() {
        ConnectionLink now = link;
        if (!now.loss().isOver()) {
            now.progressQuietly();
        }
        return now.loss().reasonOrEnd();
    }

    // ---- messages ----

    /// Sends a message. Returns when the bytes may be changed again, which is before the peer has them. Waits while the
    /// peer is behind, at most as long as the options say.
    ///
    /// @throws io.verbena.verbs.RdmaException `ETIMEDOUT` when the peer does not take messages, `ECONNRESET` when it is
    ///     gone
    public void send(MemorySegment bytes) {
        link().messenger().send(MessageHeader.MESSAGE, 0, Objects.requireNonNull(bytes, "the bytes are null"));
    }

    /// Sends a message.
    public void send(byte[] bytes) {
        send(MemorySegment.ofArray(bytes));
    }

    /// Sends a text in UTF-8.
    public void send(String text) {
        send(text.getBytes(StandardCharsets.UTF_8));
    }

    /// Sends the bytes of a message that was received.
    public void send(Message message) {
        send(message.memory());
    }

    /// Sends a message from memory of [#allocate], without a copy if it is long. Returns when the memory may be changed
    /// again: a long message has arrived then.
    public void send(MemoryRegion region, long offset, long length) {
        link().messenger().sendFrom(region, offset, length).await();
    }

    /// As [#send(MemoryRegion, long, long)], without waiting for the peer.
    public Pending sendAsync(MemoryRegion region, long offset, long length) {
        return link().messenger().sendFrom(region, offset, length);
    }

    /// Sends a message, and ends when the peer has it. Waits only while the peer is behind.
    public Pending sendAsync(MemorySegment bytes) {
        return link().messenger().sendTracked(Objects.requireNonNull(bytes, "the bytes are null"));
    }

    /// As [#sendAsync(MemorySegment)].
    public Pending sendAsync(byte[] bytes) {
        return sendAsync(MemorySegment.ofArray(bytes));
    }

    /// As [#sendAsync(MemorySegment)], with a text in UTF-8.
    public Pending sendAsync(String text) {
        return sendAsync(text.getBytes(StandardCharsets.UTF_8));
    }

    /// Sends a message that fits a receive buffer if that is possible at once; false when the peer is behind.
    public boolean trySend(MemorySegment bytes) {
        return link().messenger().trySend(bytes);
    }

    /// The longest message that [#trySend] takes.
    public int mostEagerBytes() {
        return link.sender().longestEager();
    }

    /// Waits for the next message; null when the peer has closed the connection and all its messages were received.
    ///
    /// @throws io.verbena.verbs.RdmaException `ETIMEDOUT` when the time is over, `EINTR` when the thread is
    ///     interrupted, `ECONNRESET` when the connection was lost, or closed because the peer's program failed
    /// @throws IllegalStateException when the connection has a handler, which gets the messages
    public Message receive(Duration timeout) {
        return link().messenger().receive(timeout);
    }

    /// Waits for the next message, as long as the options say.
    public Message receive() {
        return receive(link.options().timeout());
    }

    /// The next message if it is there; null otherwise, also while a long one is being read.
    ///
    /// @throws IllegalStateException when the connection has a handler, which gets the messages
    public Message tryReceive() {
        return link().messenger().tryReceive();
    }

    /// All messages until the peer closes the connection. Each is closed when the next one is asked for. Waits for as
    /// long as the connection lives.
    @Override
    public Iterator<Message> iterator() {
        return new Iterator<>() {
            private Message next;
            private boolean asked;

            @Override
            public boolean hasNext() {
                if (!asked) {
                    if (next != null) {
                        next.close();
                    }
                    next = link().messenger().receive(ConnectionLink.FOR_EVER);
                    asked = true;
                }
                return next != null;
            }

            @Override
            public Message next() {
                if (!hasNext()) {
                    throw new NoSuchElementException("the peer has closed the connection");
                }
                asked = false;
                return next;
            }
        };
    }

    /// Lets a handler take all messages from now on, in place of [#receive]. It is called by a thread of
    /// the library, or by one that waits, sends or closes on a connection of the same device.
    public void handle(ConnectionHandler handler) {
        link().arrivals().handle(Objects.requireNonNull(handler, "the handler is null"), false, () -> {});
    }

    // ---- calls ----

    /// Sends a request and waits for the answer, which the caller closes. The peer finds the request among its messages
    /// and answers with [Message#reply].
    ///
    /// @throws io.verbena.verbs.RdmaException `ETIMEDOUT` when the time is over; a late answer is dropped
    public Message call(MemorySegment request, Duration timeout) {
        return link().messenger().call(request, timeout);
    }

    /// As [#call(MemorySegment, Duration)].
    public Message call(byte[] request, Duration timeout) {
        return call(MemorySegment.ofArray(request), timeout);
    }

    /// As [#call(MemorySegment, Duration)], and waits as long as the options say.
    public Message call(MemorySegment request) {
        return call(request, link.options().timeout());
    }

    /// As [#call(MemorySegment)].
    public Message call(byte[] request) {
        return call(MemorySegment.ofArray(request));
    }

    /// As [#call(MemorySegment, Duration)], with a text.
    public Message call(String request, Duration timeout) {
        return call(request.getBytes(StandardCharsets.UTF_8), timeout);
    }

    /// As [#call(MemorySegment)], with a text.
    public Message call(String request) {
        return call(request.getBytes(StandardCharsets.UTF_8));
    }

    /// Sends a request without waiting for the answer, which is [Pending#reply] later. Thousands may be under way.
    public Pending callAsync(MemorySegment request) {
        return link().messenger().callAsync(request);
    }

    /// As [#callAsync(MemorySegment)].
    public Pending callAsync(byte[] request) {
        return callAsync(MemorySegment.ofArray(request));
    }

    /// As [#callAsync(MemorySegment)], with a text in UTF-8.
    public Pending callAsync(String request) {
        return callAsync(request.getBytes(StandardCharsets.UTF_8));
    }

    // ---- memory ----

    /// Memory that long messages are sent from, and remote memory is read into, without a copy. It belongs to the
    /// caller, who closes it before the connection.
    public MemoryRegion allocate(long bytes) {
        ConnectionLink now = link();
        now.loss().requireNotClosed();
        return now.resources().protectionDomain().allocate(bytes, Access.LOCAL_WRITE, Access.REMOTE_READ);
    }

    /// The memory that the peer exports under a name.
    ///
    /// @throws io.verbena.verbs.RdmaException `ENOENT` when it exports none of that name
    public RemoteMemory remote(String name) {
        return link().lookups().find(Objects.requireNonNull(name, "the name is null"));
    }

    /// Lets the peer use memory under a name, until the export or the connection is closed. The memory must be native
    /// and open to all threads, such as that of [#allocate]. On a connection that a server accepted this is
    /// [EndpointServer#export]: all clients of the server find it.
    public Export export(String name, MemorySegment memory, Access... rights) {
        return link().exports().export(name, memory, rights);
    }

    /// Ends the connection in good order: waits until the peer has all messages, then tells it that there are no more.
    /// Messages of the peer that were not received are dropped. Closing twice is fine.
    ///
    /// @throws io.verbena.verbs.RdmaException when messages did not arrive, or the peer closed first and did not
    ///     receive them
    @Override
    public void close() {
        connecting.lock();
        try {
            successor = null;
        } finally {
            connecting.unlock();
        }
        link.ending().close();
    }

    @Override
    public String toString() {
        return "connection to " + peer();
    }
}
