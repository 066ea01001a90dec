package io.verbena.soft.local;

import io.verbena.soft.os.Announcement;
import io.verbena.soft.os.SealedMemory;
import io.verbena.verbs.attr.Gid;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The devices of one simulated network, as if each were a process of one host. They share memory within this process.
public final class SimulatedNeighbourhood extends Neighbourhood {
    private final Map<Gid, Announcement> announced = new ConcurrentHashMap<>();

    @Override
    public Runnable announce(Gid gid, SealedMemory device) {
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
