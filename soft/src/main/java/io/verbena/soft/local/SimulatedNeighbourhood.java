package io.verbena.soft.local;

import io.verbena.soft.os.Announcement;
import io.verbena.soft.os.SealedMemory;
import io.verbena.verbs.attr.Gid;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The devices of one simulated network, as if each were a process of one host. The memory is real, and of this
/// process. One thread at a time.
public final class SimulatedNeighbourhood implements Neighbourhood {
    private final Map<Gid, Announcement> announced = new HashMap<>();

    @Override
    public AutoCloseable announce(Gid gid, SealedMemory device) {
        Announcement mine = new Announcement(ProcessHandle.current().pid(), device.fd(), device.nonce());
        announced.put(gid, mine);
        return () -> announced.remove(gid, mine);
    }

    @Override
    public List<Announcement> find(Gid gid) {
        Announcement found = announced.get(gid);
        return found == null ? List.of() : List.of(found);
    }
}
