package io.verbena.verbs.spi;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.ConnectionOption;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/// The options of a connection id; ids of connection requests inherit those of their listener. System properties set
/// options for the whole process:
///
/// - `verbena.connection.timeout`: seconds that connect, accept and disconnect may take; 5 otherwise;
/// - `verbena.connection.ackTimeout`: as [ConnectionOption#ACK_TIMEOUT];
/// - `verbena.connection.minRnrTimer`: as [ConnectionOption#MIN_RNR_TIMER];
/// - `verbena.connection.liveness`: as [ConnectionOption#LIVENESS].
public final class ConnectionOptions {
    public static final int UNSET = -1;

    /// Long enough for a busy peer, short enough for a person who waits; Linux tries for more than a minute.
    private static final int DEFAULT_TIMEOUT_SECONDS = 5;

    /// Other systems, such as Aeron, take a silent peer for dead after the same time.
    private static final int DEFAULT_LIVENESS_SECONDS = 10;

    private static final int LONGEST_TIMEOUT_SECONDS = 86_400;
    private static final Duration LONGEST_TIMEOUT = Duration.ofSeconds(LONGEST_TIMEOUT_SECONDS);
    private static final String PREFIX = "verbena.connection.";

    private static final Map<ConnectionOption, Integer> LARGEST = new EnumMap<>(Map.of(
            ConnectionOption.TYPE_OF_SERVICE, 255,
            ConnectionOption.REUSE_ADDRESS, 1,
            ConnectionOption.IPV6_ONLY, 1,
            ConnectionOption.ACK_TIMEOUT, 31,
            ConnectionOption.MIN_RNR_TIMER, 31,
            ConnectionOption.LIVENESS, LONGEST_TIMEOUT_SECONDS));

    private static final Map<ConnectionOption, String> PROPERTIES = new EnumMap<>(Map.of(
            ConnectionOption.ACK_TIMEOUT, PREFIX + "ackTimeout",
            ConnectionOption.MIN_RNR_TIMER, PREFIX + "minRnrTimer",
            ConnectionOption.LIVENESS, PREFIX + "liveness"));

    private final Map<ConnectionOption, Integer> values = new EnumMap<>(ConnectionOption.class);
    private Duration timeout;

    /// The options of the system properties.
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

    /// Options of the same values, for an id that inherits them.
    public synchronized ConnectionOptions copy() {
        ConnectionOptions copy = new ConnectionOptions(timeout);
        copy.values.putAll(values);
        return copy;
    }

    /// How long connect, accept and disconnect may take, each.
    public synchronized Duration timeout() {
        return timeout;
    }

    /// Sets the timeout. Throws EINVAL when it is not positive or longer than a day.
    public synchronized void timeout(Duration timeout) {
        if (Objects.requireNonNull(timeout, "the timeout is null").isZero()
                || timeout.isNegative()
                || timeout.compareTo(LONGEST_TIMEOUT) > 0) {
            throw new RdmaException(
                    "set timeout",
                    Errno.EINVAL,
                    "the timeout is " + timeout + "; give a positive time of at most " + LONGEST_TIMEOUT);
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
        Objects.requireNonNull(option, "the option is null");
        check(option, value);
        values.put(option, value);
    }

    /// The value that was set, else [#UNSET].
    public synchronized int get(ConnectionOption option) {
        return values.getOrDefault(option, UNSET);
    }

    /// Whether the option is set to 1.
    public boolean is(ConnectionOption option) {
        return get(option) == 1;
    }

    /// The type of service of packets; 0 unless set.
    public int typeOfService() {
        return Math.max(0, get(ConnectionOption.TYPE_OF_SERVICE));
    }

    /// How long a peer may be silent before a keep-alive is sent; zero is for ever.
    public Duration liveness() {
        int seconds = get(ConnectionOption.LIVENESS);
        return Duration.ofSeconds(seconds == UNSET ? DEFAULT_LIVENESS_SECONDS : seconds);
    }

    /// The timers that the id's queue pair gets.
    public QueuePairTiming timing() {
        return new QueuePairTiming(get(ConnectionOption.ACK_TIMEOUT), get(ConnectionOption.MIN_RNR_TIMER));
    }
}
