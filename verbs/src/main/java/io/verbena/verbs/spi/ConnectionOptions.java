package io.verbena.verbs.spi;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.ConnectionOption;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/// What a program set on a connection id; ids of connection requests start with what their listener has. What it did
/// not set may be set for the whole process, by system properties:
///
/// - `verbena.connection.timeout`: seconds that connect, accept and disconnect may take; 5 otherwise;
/// - `verbena.connection.ackTimeout`: as [ConnectionOption#ACK_TIMEOUT];
/// - `verbena.connection.minRnrTimer`: as [ConnectionOption#MIN_RNR_TIMER].
public final class ConnectionOptions {
    public static final int UNSET = -1;

    /// Long enough for a busy peer, short enough for a person who waits; Linux tries for more than a minute.
    private static final int DEFAULT_TIMEOUT_SECONDS = 5;

    private static final int LONGEST_TIMEOUT_SECONDS = 86_400;
    private static final Duration LONGEST_TIMEOUT = Duration.ofSeconds(LONGEST_TIMEOUT_SECONDS);
    private static final String PREFIX = "verbena.connection.";

    private static final Map<ConnectionOption, Integer> LARGEST = new EnumMap<>(Map.of(
            ConnectionOption.TYPE_OF_SERVICE, 255,
            ConnectionOption.REUSE_ADDRESS, 1,
            ConnectionOption.IPV6_ONLY, 1,
            ConnectionOption.ACK_TIMEOUT, 31,
            ConnectionOption.MIN_RNR_TIMER, 31));

    private static final Map<ConnectionOption, String> PROPERTIES = new EnumMap<>(Map.of(
            ConnectionOption.ACK_TIMEOUT, PREFIX + "ackTimeout",
            ConnectionOption.MIN_RNR_TIMER, PREFIX + "minRnrTimer"));

    private final Map<ConnectionOption, Integer> values = new EnumMap<>(ConnectionOption.class);
    private Duration timeout;

    /// As the system properties say.
    public ConnectionOptions() {
        this(Duration.ofSeconds(property(PREFIX + "timeout", 1, LONGEST_TIMEOUT_SECONDS, DEFAULT_TIMEOUT_SECONDS)));
        PROPERTIES.forEach((option, name) -> {
            int value = property(name, 0, LARGEST.get(option), UNSET);
            if (value != UNSET) {
                values.put(option, value);
            }
        });
    }

    private ConnectionOptions(Duration timeout) {
        this.timeout = timeout;
    }

    private static int property(String name, int least, int largest, int otherwise) {
        String text = System.getProperty(name, "");
        if (text.isEmpty()) {
            return otherwise;
        }
        int value;
        try {
            value = Integer.parseInt(text);
        } catch (NumberFormatException e) {
            value = -1;
        }
        if (value < least || value > largest) {
            throw new RdmaException(
                    "read -D" + name, Errno.EINVAL, "it is \"" + text + "\"; it takes " + least + " to " + largest);
        }
        return value;
    }

    public synchronized ConnectionOptions copy() {
        ConnectionOptions copy = new ConnectionOptions(timeout);
        copy.values.putAll(values);
        return copy;
    }

    public synchronized Duration timeout() {
        return timeout;
    }

    public synchronized void timeout(Duration timeout) {
        if (timeout.isZero() || timeout.isNegative() || timeout.compareTo(LONGEST_TIMEOUT) > 0) {
            throw new RdmaException(
                    "set timeout", Errno.EINVAL, timeout + "; give some time, at most " + LONGEST_TIMEOUT);
        }
        this.timeout = timeout;
    }

    /// Throws EINVAL when the option cannot have that value.
    public static void check(ConnectionOption option, int value) {
        int largest = LARGEST.get(option);
        if (value < 0 || value > largest) {
            throw new RdmaException(
                    "rdma_set_option", Errno.EINVAL, option + " is " + value + "; it takes 0 to " + largest);
        }
    }

    /// Throws EINVAL when the option cannot have that value.
    public synchronized void set(ConnectionOption option, int value) {
        check(option, value);
        values.put(option, value);
    }

    /// What was set, else [#UNSET].
    public synchronized int get(ConnectionOption option) {
        return values.getOrDefault(option, UNSET);
    }

    public boolean is(ConnectionOption option) {
        return get(option) == 1;
    }

    /// 0 unless set.
    public int typeOfService() {
        return Math.max(0, get(ConnectionOption.TYPE_OF_SERVICE));
    }

    public QueuePairTiming timing() {
        return new QueuePairTiming(get(ConnectionOption.ACK_TIMEOUT), get(ConnectionOption.MIN_RNR_TIMER));
    }
}
