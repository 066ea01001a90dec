package io.verbena.sockets;

import io.verbena.sockets.protocol.StreamSettings;
import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The options of a channel. What is set before it is connected decides how large its queues and buffers become.
final class SocketSettings {
    private static final int MAPS = 8;

    /// What a channel has unless it is set. Buffers grow up to these sizes.
    private static final Map<SocketOption<?>, Object> DEFAULTS = Map.ofEntries(
            Map.entry(RdmaSocketOptions.RDMA_SQSIZE, 64),
            Map.entry(RdmaSocketOptions.RDMA_RQSIZE, 128),
            Map.entry(RdmaSocketOptions.RDMA_INLINE, 64),
            Map.entry(StandardSocketOptions.SO_RCVBUF, 512 * 1024),
            Map.entry(StandardSocketOptions.SO_SNDBUF, 256 * 1024),
            Map.entry(StandardSocketOptions.SO_REUSEADDR, false),
            Map.entry(StandardSocketOptions.SO_REUSEPORT, false),
            Map.entry(StandardSocketOptions.SO_KEEPALIVE, false),
            Map.entry(StandardSocketOptions.SO_LINGER, -1),
            Map.entry(StandardSocketOptions.TCP_NODELAY, false),
            Map.entry(StandardSocketOptions.IP_TOS, 0));

    static final Set<SocketOption<?>> OF_STREAMS = Set.of(
            RdmaSocketOptions.RDMA_SQSIZE,
            RdmaSocketOptions.RDMA_RQSIZE,
            RdmaSocketOptions.RDMA_INLINE,
            StandardSocketOptions.SO_RCVBUF,
            StandardSocketOptions.SO_SNDBUF,
            StandardSocketOptions.SO_REUSEADDR,
            StandardSocketOptions.SO_KEEPALIVE,
            StandardSocketOptions.SO_LINGER,
            StandardSocketOptions.TCP_NODELAY,
            StandardSocketOptions.IP_TOS);

    static final Set<SocketOption<?>> OF_LISTENERS = Set.of(
            RdmaSocketOptions.RDMA_SQSIZE,
            RdmaSocketOptions.RDMA_RQSIZE,
            RdmaSocketOptions.RDMA_INLINE,
            StandardSocketOptions.SO_RCVBUF,
            StandardSocketOptions.SO_REUSEADDR);

    private final Map<SocketOption<?>, Object> values = new ConcurrentHashMap<>();

    /// The options of a connection that a listener accepts.
    SocketSettings forAccepted() {
        SocketSettings accepted = new SocketSettings();
        values.forEach((option, value) -> {
            if (!option.equals(StandardSocketOptions.SO_REUSEADDR)) {
                accepted.values.put(option, value);
            }
        });
        return accepted;
    }

    <T> void set(SocketOption<T> option, T value) {
        if (!option.type().isInstance(value)) {
            throw new IllegalArgumentException("option %s has values of %s, not %s"
                    .formatted(option.name(), option.type().getSimpleName(), value));
        }
        Object kept = value;
        if (value instanceof Integer number) {
            kept = checked(option, number);
        }
        values.put(option, kept);
    }

    private static Integer checked(SocketOption<?> option, int value) {
        if (option == StandardSocketOptions.SO_RCVBUF || option == StandardSocketOptions.SO_SNDBUF) {
            if (value < 0) {
                throw new IllegalArgumentException("option %s is at least 0, not %d".formatted(option.name(), value));
            }
            return Math.max(4096, value);
        }
        if (option == RdmaSocketOptions.RDMA_SQSIZE || option == RdmaSocketOptions.RDMA_RQSIZE) {
            return Math.clamp(value, StreamSettings.FEWEST_REQUESTS, StreamSettings.MOST_REQUESTS);
        }
        if (option == RdmaSocketOptions.RDMA_INLINE) {
            return Math.clamp(value, 0, 4096);
        }
        if (option == StandardSocketOptions.SO_LINGER) {
            return Math.clamp(value, -1, 65_535);
        }
        if (option == StandardSocketOptions.IP_TOS && (value < 0 || value > 255)) {
            throw new IllegalArgumentException("IP_TOS is 0 to 255, not " + value);
        }
        return value;
    }

    @SuppressWarnings("unchecked") // set has checked the type
    <T> T get(SocketOption<T> option) {
        Object value = values.get(option);
        return (T) (value == null ? DEFAULTS.get(option) : value);
    }

    boolean isSet(SocketOption<?> option) {
        return values.containsKey(option);
    }

    /// Gives a channel of the JDK what was set, as far as it has such options.
    @SuppressWarnings("unchecked") // set has checked the type
    void applyTo(NetworkChannel channel) throws IOException {
        for (var entry : values.entrySet()) {
            if (channel.supportedOptions().contains(entry.getKey())) {
                channel.setOption((SocketOption<Object>) entry.getKey(), entry.getValue());
            }
        }
    }

    /// The sizes of a connection, at most what the device has.
    StreamSettings streams(int mostRequests) {
        int most = Math.min(StreamSettings.MOST_REQUESTS, mostRequests) - 64;
        return new StreamSettings(
                Math.min(get(RdmaSocketOptions.RDMA_SQSIZE), most),
                Math.min(get(RdmaSocketOptions.RDMA_RQSIZE), most),
                get(StandardSocketOptions.SO_SNDBUF),
                get(StandardSocketOptions.SO_RCVBUF),
                MAPS);
    }
}
