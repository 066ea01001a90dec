package io.verbena.sockets;

import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/// What the channels of this JVM have moved, and how: the proof that bytes go by RDMA.
///
/// ```java
/// SocketCounters counters = SocketCounters.now();
/// assert counters.rdmaBytesRead() > 0;
/// ```
///
/// @param rdmaConnections connections over RDMA, of both roles
/// @param tcpConnections connections over TCP, of both roles
/// @param rdmaBytesRead bytes that the program read from connections over RDMA
/// @param rdmaBytesWritten bytes that the program wrote to connections over RDMA
/// @param tcpBytesRead bytes that the program read from connections over TCP
/// @param tcpBytesWritten bytes that the program wrote to connections over TCP
/// @param fallbacks why connections that could have used RDMA use TCP, and how often; also, once, a transport that
/// bypasses `java.nio`
public record SocketCounters(
        long rdmaConnections,
        long tcpConnections,
        long rdmaBytesRead,
        long rdmaBytesWritten,
        long tcpBytesRead,
        long tcpBytesWritten,
        Map<String, Long> fallbacks) {
    static final LongAdder RDMA_CONNECTIONS = new LongAdder();
    static final LongAdder TCP_CONNECTIONS = new LongAdder();
    static final LongAdder RDMA_READ = new LongAdder();
    static final LongAdder RDMA_WRITTEN = new LongAdder();
    static final LongAdder TCP_READ = new LongAdder();
    static final LongAdder TCP_WRITTEN = new LongAdder();
    static final FallbackReasons FALLBACKS = new FallbackReasons();

    /// The counters of this JVM since it started.
    public static SocketCounters now() {
        return new SocketCounters(
                RDMA_CONNECTIONS.sum(),
                TCP_CONNECTIONS.sum(),
                RDMA_READ.sum(),
                RDMA_WRITTEN.sum(),
                TCP_READ.sum(),
                TCP_WRITTEN.sum(),
                FALLBACKS.now());
    }

    /// Counts, once, why connections bypass this provider. Called by the agent.
    public static void onBypass(String reason) {
        SocketEvents.fellBack(null, reason);
    }

    /// One line with all counters.
    @Override
    public String toString() {
        String reasons = fallbacks.isEmpty()
                ? "no fallbacks"
                : fallbacks.entrySet().stream()
                        .map(entry -> "%d x %s".formatted(entry.getValue(), entry.getKey()))
                        .collect(Collectors.joining(", ", "fallbacks: ", ""));
        return "verbena-sockets: RDMA %d connections, %d bytes read, %d written; TCP %d connections, %d bytes read, %d written; %s"
                .formatted(
                        rdmaConnections,
                        rdmaBytesRead,
                        rdmaBytesWritten,
                        tcpConnections,
                        tcpBytesRead,
                        tcpBytesWritten,
                        reasons);
    }
}
