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
    Device device();

    /// Counterpart of `ibv_query_device`.
    DeviceAttributes attributes();

    /// Counterpart of `ibv_query_port`; ports count from 1.
    PortAttributes port(int port);

    /// Counterpart of `ibv_query_gid`.
    Gid gid(int port, int index);

    /// The used rows of the GID table. Counterpart of `ibv_query_gid_table`.
    List<GidEntry> gids(int port);

    /// Counterpart of `ibv_query_pkey`.
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

    /// What the device counted so far, by name, as far as it keeps counters: packets, retransmissions, what was
    /// dropped and why. Counterpart of `hw_counters` in sysfs.
    default Map<String, Long> counters() {
        return Map.of();
    }

    /// The ways that connections of this device can take, by name, and of each whether it can be used here and now.
    /// Empty where there is only the network. The software device has `UDP` and `shared memory`, and `shared memory
    /// with
    /// ADDRESS` for each peer of this host that could not be reached by it, with the reason.
    default Map<String, Availability> paths() {
        return Map.of();
    }

    /// Counterpart of `ibv_alloc_pd`.
    ProtectionDomain allocateProtectionDomain();

    /// Counterpart of `ibv_create_comp_channel`.
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

    /// What happens to the device and its objects besides completions.
    AsyncEventChannel asyncEvents();

    /// Closes all objects made from this context, newest first, then the context itself.
    void closeAll();

    /// Counterpart of `ibv_close_device`. Closing twice is fine.
    @Override
    void close();
}
