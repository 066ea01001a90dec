package io.verbena.soft.local;

import io.verbena.soft.os.Announcement;
import io.verbena.soft.os.DeviceDirectory;
import io.verbena.soft.os.SealedMemory;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Gid;
import java.util.List;

/// The processes of this user on this host.
final class HostNeighbourhood implements Neighbourhood {
    private HostNeighbourhood() {}

    /// @throws RdmaException EOPNOTSUPP when the system does not let processes share memory
    static Neighbourhood open() {
        tryMemory();
        return new HostNeighbourhood();
    }

    /// @throws RdmaException EOPNOTSUPP when the system does not let processes share memory
    static void tryMemory() {
        try {
            SealedMemory.create(1, false).close();
        } catch (LinkageError | IllegalCallerException e) {
            throw new RdmaException(
                    "share memory",
                    Errno.EOPNOTSUPP,
                    "it needs native access; run with --enable-native-access=io.verbena.soft",
                    e);
        }
    }

    @Override
    public AutoCloseable announce(Gid gid, SealedMemory device) {
        return DeviceDirectory.announce(gid, device.fd(), device.nonce());
    }

    @Override
    public List<Announcement> find(Gid gid) {
        return DeviceDirectory.find(gid);
    }
}
