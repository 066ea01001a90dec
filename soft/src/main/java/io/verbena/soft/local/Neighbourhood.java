package io.verbena.soft.local;

import io.verbena.soft.os.Announcement;
import io.verbena.soft.os.SealedMemory;
import io.verbena.verbs.attr.Gid;
import java.util.List;

/// Where shared memory comes from, and how devices find each other: on this host, or on a simulated one.
public interface Neighbourhood {
    /// New memory of zeros.
    ///
    /// @param reserve whether all its pages must be there at once
    default SealedMemory create(long bytes, boolean reserve) {
        return SealedMemory.create(bytes, reserve);
    }

    /// Lets others find the device of that address until the answer is closed.
    AutoCloseable announce(Gid gid, SealedMemory device);

    List<Announcement> find(Gid gid);
}
