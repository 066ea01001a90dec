package io.verbena.verbs.spi;

import io.verbena.verbs.Errno;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.attr.QueuePairAttribute;

/// Refuses values that a device cannot honour (rule QP-7), or that do not fit into the fields of packets and structs: C
/// would truncate them silently.
public final class ChangeCheck {
    private static final int MAX_24_BITS = 0xFF_FFFF;

    private ChangeCheck() {}

    /// Throws EINVAL when a value of the change is out of range.
    ///
    /// @param ports of the device
    /// @param maxPkeyIndex the last row of its tables of partition keys
    /// @param maxReads how many READs and atomics it can have in flight
    public static void check(String verb, QueuePairChange change, int ports, int maxPkeyIndex, int maxReads) {
        require(verb, change, QueuePairAttribute.PORT, "port", change.port(), 1, ports);
        require(verb, change, QueuePairAttribute.PKEY_INDEX, "pkeyIndex", change.pkeyIndex(), 0, maxPkeyIndex);
        require(verb, change, QueuePairAttribute.TIMEOUT, "timeout", change.timeout(), 0, 31);
        require(verb, change, QueuePairAttribute.RETRY_COUNT, "retryCount", change.retryCount(), 0, 7);
        require(verb, change, QueuePairAttribute.RNR_RETRY, "rnrRetry", change.rnrRetry(), 0, 7);
        require(verb, change, QueuePairAttribute.MIN_RNR_TIMER, "minRnrTimer", change.minRnrTimer(), 0, 31);
        require(verb, change, QueuePairAttribute.SEND_PSN, "sendPsn", change.sendPsn(), 0, MAX_24_BITS);
        require(verb, change, QueuePairAttribute.RECEIVE_PSN, "receivePsn", change.receivePsn(), 0, MAX_24_BITS);
        require(
                verb,
                change,
                QueuePairAttribute.DESTINATION_QP,
                "destinationQp",
                change.destinationQp(),
                2,
                MAX_24_BITS);
        require(verb, change, QueuePairAttribute.MAX_READ_ATOMIC, "maxReadAtomic", change.maxReadAtomic(), 0, maxReads);
        require(
                verb,
                change,
                QueuePairAttribute.MAX_DESTINATION_READ_ATOMIC,
                "maxDestinationReadAtomic",
                change.maxDestinationReadAtomic(),
                0,
                maxReads);
    }

    private static void require(
            String verb,
            QueuePairChange change,
            QueuePairAttribute attribute,
            String name,
            int value,
            int least,
            int most) {
        if (change.has(attribute) && (value < least || value > most)) {
            throw new RdmaException(verb, Errno.EINVAL, name + " is " + value + "; legal are " + least + " to " + most);
        }
    }

    /// Drivers accept a path MTU above the port's, and then every packet of that size is lost.
    public static void checkMtu(String verb, QueuePairChange change, Mtu portMtu) {
        if (change.has(QueuePairAttribute.PATH_MTU) && change.pathMtu().code() > portMtu.code()) {
            throw new RdmaException(
                    verb,
                    Errno.EINVAL,
                    "pathMtu " + change.pathMtu().bytes() + " is above the port's " + portMtu.bytes()
                            + "; take that, or raise the network interface's MTU");
        }
    }
}
