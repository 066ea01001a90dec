package io.verbena.endpoint;

import io.verbena.verbs.Rdma;
import io.verbena.verbs.cm.ConnectionManager;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

/// How an endpoint behaves. The defaults suit most programs. Methods that change something return new options.
///
/// ```java
/// EndpointOptions options = EndpointOptions.defaults().timeout(Duration.ofSeconds(5)).credits(16);
/// ```
public final class EndpointOptions {
    static final int LEAST_BUFFER_BYTES = 128;
    private static final int MOST_BUFFER_BYTES = 1 << 20;
    private static final int MOST_CREDITS = 1 << 14;
    private static final int LEAST_SEND_REQUESTS = 16;
    private static final int MOST_SEND_REQUESTS = 1 << 13;

    private static final EndpointOptions DEFAULTS = new EndpointOptions();

    private ConnectionManager connectionManager;
    private String localAddress;
    private Duration timeout = Duration.ofSeconds(30);
    private Duration connectTimeout = Duration.ofSeconds(5);
    private boolean awaitServer = true;
    private int credits = 64;
    private int bufferBytes = 4096;
    private int sendRequests = 128;
    private long mostMessageBytes = 1L << 30;
    private Duration spin = Duration.ofNanos(50_000);
    private int mostConnections = 20_000;
    private int ownQueues = 16;
    private boolean reconnect;
    private ThreadStarter threads = Thread.Builder::start;

    private EndpointOptions() {}

    private EndpointOptions(EndpointOptions from) {
        connectionManager = from.connectionManager;
        localAddress = from.localAddress;
        timeout = from.timeout;
        connectTimeout = from.connectTimeout;
        awaitServer = from.awaitServer;
        credits = from.credits;
        bufferBytes = from.bufferBytes;
        sendRequests = from.sendRequests;
        mostMessageBytes = from.mostMessageBytes;
        spin = from.spin;
        mostConnections = from.mostConnections;
        ownQueues = from.ownQueues;
        reconnect = from.reconnect;
        threads = from.threads;
    }

    private EndpointOptions with(Consumer<EndpointOptions> change) {
        EndpointOptions changed = new EndpointOptions(this);
        change.accept(changed);
        return changed;
    }

    private static int within(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException("%s is %d; it must be %d to %d".formatted(name, value, least, most));
        }
        return value;
    }

    private static Duration positive(String name, Duration value) {
        if (Objects.requireNonNull(value, () -> name + " is null").isNegative()) {
            throw new IllegalArgumentException(name + " is " + value + "; it must not be negative");
        }
        return value;
    }

    /// Options that suit most programs.
    public static EndpointOptions defaults() {
        return DEFAULTS;
    }

    /// The connection manager to use; [Rdma#connectionManager] unless one is set.
    public ConnectionManager connectionManager() {
        return connectionManager == null ? Rdma.connectionManager() : connectionManager;
    }

    /// The same with the connection manager of a provider, or of a host of a simulated network.
    public EndpointOptions connectionManager(ConnectionManager manager) {
        return with(changed -> changed.connectionManager = manager);
    }

    /// The address or name of the device that clients use; null for the one that reaches the server.
    public String localAddress() {
        return localAddress;
    }

    /// The same for clients that use the device of that address.
    public EndpointOptions localAddress(String address) {
        return with(changed -> changed.localAddress = address);
    }

    /// How long waits may take that have no time of their own: 30 s.
    public Duration timeout() {
        return timeout;
    }

    /// The same with another longest time for waits.
    public EndpointOptions timeout(Duration longest) {
        return with(changed -> changed.timeout = positive("the timeout", longest));
    }

    /// How long connecting may take, with all attempts: 5 s. While nobody listens, the client tries again, unless
    /// [#awaitServer(boolean)] says no.
    public Duration connectTimeout() {
        return connectTimeout;
    }

    /// The same with another longest time for connecting.
    public EndpointOptions connectTimeout(Duration longest) {
        return with(changed -> changed.connectTimeout = positive("the timeout for connecting", longest));
    }

    /// Whether connecting tries again while nobody listens: yes.
    public boolean awaitServer() {
        return awaitServer;
    }

    /// The same for clients whose server has started before them: where nobody listens any more, connecting fails at
    /// once.
    public EndpointOptions awaitServer(boolean await) {
        return with(changed -> changed.awaitServer = await);
    }

    /// How many messages the peer may send that the program has not taken yet: 64.
    public int credits() {
        return credits;
    }

    /// The same with another number of messages that the peer may send ahead. Each takes a receive buffer.
    public EndpointOptions credits(int count) {
        return with(changed -> changed.credits = within("the number of credits", count, 1, MOST_CREDITS));
    }

    /// The size of a receive buffer: 4096 bytes. Messages that fit, with 16 bytes of header, are copied into one;
    /// longer ones are read from the sender's memory.
    public int bufferBytes() {
        return bufferBytes;
    }

    /// The same with receive buffers of another size.
    public EndpointOptions bufferBytes(int bytes) {
        return with(changed ->
                changed.bufferBytes = within("the size of a buffer", bytes, LEAST_BUFFER_BYTES, MOST_BUFFER_BYTES));
    }

    /// How many requests the send queue of a connection takes: 128.
    public int sendRequests() {
        return sendRequests;
    }

    /// The same with a send queue of another length.
    public EndpointOptions sendRequests(int count) {
        return with(changed -> changed.sendRequests =
                within("the length of the send queue", count, LEAST_SEND_REQUESTS, MOST_SEND_REQUESTS));
    }

    /// The longest message that is accepted: 1 GiB.
    public long mostMessageBytes() {
        return mostMessageBytes;
    }

    /// The same with another limit for the length of messages.
    public EndpointOptions mostMessageBytes(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("the longest message has " + bytes + " bytes; it must not be negative");
        }
        return with(changed -> changed.mostMessageBytes = bytes);
    }

    /// How long a platform thread polls before it sleeps: 50 µs, twenty times that while messages come quickly.
    /// Virtual threads poll only then, and five times as long.
    public Duration spin() {
        return spin;
    }

    /// The same with another time to poll before sleeping; zero to sleep at once.
    public EndpointOptions spin(Duration time) {
        return with(changed -> changed.spin = positive("the spin time", time));
    }

    /// How many connections a server accepts: 20,000.
    public int mostConnections() {
        return mostConnections;
    }

    /// The same for a server that accepts another number of connections.
    public EndpointOptions mostConnections(int count) {
        return with(
                changed -> changed.mostConnections = within("the number of connections", count, 1, Integer.MAX_VALUE));
    }

    /// Up to how many clients of this process have queues of their own: 16.
    public int ownQueues() {
        return ownQueues;
    }

    /// The same for clients that share a completion queue, its buffers and one thread that waits for all, from another
    /// number of clients on; 0 to share always. A client with queues of its own needs no other thread, so it sleeps and
    /// wakes up faster, but takes more memory and longer to connect.
    public EndpointOptions ownQueues(int count) {
        return with(changed -> changed.ownQueues = within("the number of own queues", count, 0, Integer.MAX_VALUE));
    }

    /// Whether a client connects again after its connection ended: no.
    public boolean reconnect() {
        return reconnect;
    }

    /// The same for clients that connect again after the connection was lost, or the server closed it. The program is
    /// told of each end, once at least: by the exception of a call, or by null from `receive`. The first call after
    /// that connects, in the time of [#connectTimeout], and goes on with the new connection. Nothing is sent twice:
    /// whatever was under way has failed, and only the program knows whether to repeat it.
    public EndpointOptions reconnect(boolean again) {
        return with(changed -> changed.reconnect = again);
    }

    /// How threads are started.
    public ThreadStarter threads() {
        return threads;
    }

    /// The same with threads that are started in another way. In a simulated network they have to take turns:
    ///
    /// ```java
    /// options.threads((builder, task) -> network.start(builder, task::run))
    /// ```
    public EndpointOptions threads(ThreadStarter starter) {
        return with(changed -> changed.threads = Objects.requireNonNull(starter, "the starter of threads is null"));
    }
}
