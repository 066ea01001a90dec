package io.verbena.verbs;

import io.verbena.verbs.attr.DeviceAttributes;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.GidEntry;
import io.verbena.verbs.attr.PortAttributes;
import io.verbena.verbs.spi.Availability;
import java.util.List;
import java.util.Map;

/// An open device; everything else is made from it. Closing it while children live fails with EBUSY; [#closeAll]
/// closes them first, newest first. Counterpart of `struct ibv_context`.
public interface Context extends AutoCloseable {
    /// The device that was opened.
    Device device();

    /// The limits and features of the device. Counterpart of `ibv_query_device`.
    DeviceAttributes attributes();

    /// The state and the limits of a port; ports count from 1. Counterpart of `ibv_query_port`.
    PortAttributes port(int port);

    /// The address in one row of a port's GID table; rows count from 0. Counterpart of `ibv_query_gid`.
    Gid gid(int port, int index);

    /// The used rows of the GID table. Counterpart of `ibv_query_gid_table`.
    List<GidEntry> gids(int port);

    /// The partition key in one row of a port's table; rows count from 0. Counterpart of `ibv_query_pkey`.
    int partitionKey(int port, int index);

    /// The index of a partition key in the port's table; ENOENT when it is not there. Counterpart of
    /// `ibv_get_pkey_index`.
    default int partitionKeyIndex(int port, int key) {
        int length = port(port).pkeyTableLength();
        for (int index = 0; index < length; index++) {
            if ((partitionKey(port, index) & 0xFFFF) == (key & 0xFFFF)) {
                return index;
            }
        }
        throw new RdmaException(
                "find partition key 0x%04x".formatted(key & 0xFFFF),
                Errno.ENOENT,
                "it is none of the " + length + " keys of port " + port);
    }

    /// The device's counters by name, if it has any: packets, retransmissions, dropped packets by reason. Counterpart
    /// of `hw_counters` in sysfs.
    default Map<String, Long> counters() {
        return Map.of();
    }

    /// The paths that connections of this device can use, by name, and whether each can be used here and now. Empty
    /// where there is only the network. The software device has `UDP` and `shared memory`, and `shared memory with
    /// ADDRESS` for each peer of this host that could not be reached by it, with the reason.
    default Map<String, Availability> paths() {
        return Map.of();
    }

    /// Which processes of this host have the device's address open, this one included, by their place at the address; a
    /// process that opened it several times is there several times. Empty where the device does not know. No
    /// counterpart in C: adapters serve all processes.
    default Map<Integer, Long> shards() {
        return Map.of();
    }

    /// Makes a protection domain, from which regions and queue pairs are made. Counterpart of `ibv_alloc_pd`.
    ProtectionDomain allocateProtectionDomain();

    /// Makes a channel to wait on for completions. Counterpart of `ibv_create_comp_channel`.
    CompletionChannel createCompletionChannel();

    /// A queue without a channel, for polling. Counterpart of `ibv_create_cq`.
    default CompletionQueue createCompletionQueue(int entries) {
        return createCompletionQueue(entries, null);
    }

    /// A queue whose events arrive on `channel` (null for none) once armed. The device may give more entries than
    /// asked for.
    CompletionQueue createCompletionQueue(int entries, CompletionChannel channel);

    /// As above, with events raised on one of the device's [#completionVectors], counted from 0. EINVAL for others.
    default CompletionQueue createCompletionQueue(int entries, CompletionChannel channel, int vector) {
        if (vector < 0 || vector >= completionVectors()) {
            throw new RdmaException(
                    "create completion queue",
                    Errno.EINVAL,
                    "completion vector " + vector + "; the device has 0 to " + (completionVectors() - 1));
        }
        return createCompletionQueue(entries, channel);
    }

    /// How many interrupt lines completions can be spread over. Counterpart of `num_comp_vectors`.
    default int completionVectors() {
        return 1;
    }

    /// The asynchronous events of the device and its objects.
    AsyncEventChannel asyncEvents();

    /// Closes all objects made from this context, newest first, then the context itself.
    void closeAll();

    /// Closes the device; EBUSY while objects made from it live. Closing twice is fine. Counterpart of
    /// `ibv_close_device`.
    @Override
    void close();
}
