package io.verbena.soft.cm;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.ConnectionOption;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/// What a program set on an id; ids of connection requests start with what their listener has.
final class IdOptions {
    /// Long enough for a busy peer, short enough for a person who waits; Linux tries for more than a minute.
    static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

    private static final Map<ConnectionOption, Integer> LARGEST = new EnumMap<>(Map.of(
            ConnectionOption.TYPE_OF_SERVICE, 255,
            ConnectionOption.REUSE_ADDRESS, 1,
            ConnectionOption.IPV6_ONLY, 1,
            ConnectionOption.ACK_TIMEOUT, 31,
            ConnectionOption.MIN_RNR_TIMER, 31));

    private final Map<ConnectionOption, Integer> values = new EnumMap<>(ConnectionOption.class);
    private Duration timeout = DEFAULT_TIMEOUT;

    synchronized IdOptions copy() {
        IdOptions copy = new IdOptions();
        copy.values.putAll(values);
        copy.timeout = timeout;
        return copy;
    }

    synchronized Duration timeout() {
        return timeout;
    }

    synchronized void timeout(Duration timeout) {
        if (timeout.isZero() || timeout.isNegative()) {
            throw new RdmaException("set timeout", Errno.EINVAL, timeout + "; it takes some time to connect");
        }
        this.timeout = timeout;
    }

    synchronized void set(ConnectionOption option, int value) {
        int largest = LARGEST.get(option);
        if (value < 0 || value > largest) {
            throw new RdmaException(
                    "rdma_set_option", Errno.EINVAL, option + " is " + value + "; it takes 0 to " + largest);
        }
        values.put(option, value);
    }

    synchronized boolean reuseAddress() {
        return values.getOrDefault(ConnectionOption.REUSE_ADDRESS, 0) == 1;
    }

    synchronized boolean ipv6Only() {
        return values.getOrDefault(ConnectionOption.IPV6_ONLY, 0) == 1;
    }

    synchronized int trafficClass() {
        return values.getOrDefault(ConnectionOption.TYPE_OF_SERVICE, 0);
    }

    synchronized QueuePairTiming timing() {
        return new QueuePairTiming(
                values.getOrDefault(ConnectionOption.ACK_TIMEOUT, QueuePairTiming.UNSET),
                values.getOrDefault(ConnectionOption.MIN_RNR_TIMER, QueuePairTiming.UNSET));
    }
}
