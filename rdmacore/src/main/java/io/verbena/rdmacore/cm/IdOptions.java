package io.verbena.rdmacore.cm;

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

    static final int UNSET = -1;

    /// How librdmacm knows an option: its number among `RDMA_OPTION_ID_*` and the size of its value.
    record Row(int number, int bytes, int largest) {
        private static final int OURS = -1;

        /// Whether librdmacm is told; else this module sees to it.
        boolean isForLibrary() {
            return number != OURS;
        }
    }

    private static final Map<ConnectionOption, Row> ROWS = new EnumMap<>(Map.of(
            ConnectionOption.TYPE_OF_SERVICE, new Row(0, 1, 255),
            ConnectionOption.REUSE_ADDRESS, new Row(1, 4, 1),
            ConnectionOption.IPV6_ONLY, new Row(2, 4, 1),
            ConnectionOption.ACK_TIMEOUT, new Row(3, 1, 31),
            ConnectionOption.MIN_RNR_TIMER, new Row(Row.OURS, 0, 31)));

    private final Map<ConnectionOption, Integer> values = new EnumMap<>(ConnectionOption.class);
    private Duration timeout = DEFAULT_TIMEOUT;

    /// The row of an option that may have that value; throws EINVAL when it may not.
    static Row row(ConnectionOption option, int value) {
        Row row = ROWS.get(option);
        if (value < 0 || value > row.largest) {
            throw new RdmaException(
                    "rdma_set_option", Errno.EINVAL, option + " is " + value + "; it takes 0 to " + row.largest);
        }
        return row;
    }

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
        values.put(option, value);
    }

    /// What was set, else [#UNSET].
    synchronized int get(ConnectionOption option) {
        return values.getOrDefault(option, UNSET);
    }
}
