package io.verbena.soft.local;

import io.verbena.soft.os.Announcement;
import io.verbena.soft.os.DeviceDirectory;
import io.verbena.soft.os.SealedMemory;
import io.verbena.verbs.attr.Gid;
import java.util.List;

/// Creates shared memory, and finds devices: those of this user on this host, unless overridden.
public class Neighbourhood {
    /// New memory of zeros.
    ///
    /// @param reserve whether to allocate all pages now
    public SealedMemory create(long bytes, boolean reserve) {
        return SealedMemory.create(bytes, reserve);
    }

    /// Announces the device of that address to neighbours. Running the result ends that.
    public Runnable announce(Gid gid, SealedMemory device) {
        return DeviceDirectory.announce(gid, device.fd(), device.nonce())::close;
    }

    public List<Announcement> find(Gid gid) {
        return DeviceDirectory.find(gid);
    }
}
