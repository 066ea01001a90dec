package io.verbena.soft.local;

import io.verbena.soft.os.Announcement;
import io.verbena.soft.os.SealedMemory;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Gid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The other devices of this host that a device knows: those that it has connections to. Belongs to the engine, except
/// for the obstacles.
final class Neighbours {
    private final Neighbourhood neighbourhood;
    private final Map<Gid, PeerDevice> byAddress = new HashMap<>();
    /// All that are mapped; of an address that changed hands more than the last one.
    private final List<PeerDevice> mapped = new ArrayList<>();

    private final Map<Gid, String> obstacles = new ConcurrentHashMap<>();

    Neighbours(Neighbourhood neighbourhood) {
        this.neighbourhood = neighbourhood;
    }

    /// The device of that address, or null when it shows nothing here.
    PeerDevice find(Gid gid) {
        PeerDevice known = byAddress.get(gid);
        if (known != null && known.isOpen() && !known.findGone()) {
            return known;
        }
        if (known != null && known.users == 0) {
            forget(known);
        }
        obstacles.remove(gid);
        for (Announcement announced : neighbourhood.find(gid)) {
            PeerDevice opened = open(gid, announced);
            if (opened != null) {
                obstacles.remove(gid);
                return opened;
            }
        }
        return null;
    }

    private PeerDevice open(Gid gid, Announcement announced) {
        try {
            SealedMemory memory =
                    SealedMemory.open(announced.pid(), announced.memoryFd(), announced.nonce(), DeviceLayout.BYTES);
            if (!PeerDevice.isOne(memory)) {
                memory.close();
                obstacles.put(gid, "it was made by another version of the software device");
                return null;
            }
            PeerDevice peer = peer(announced, memory);
            byAddress.put(gid, peer);
            mapped.add(peer);
            return peer;
        } catch (RdmaException notThere) {
            obstacles.put(gid, notThere.getMessage());
            return null;
        }
    }

    private static PeerDevice peer(Announcement announced, SealedMemory memory) {
        try {
            return new PeerDevice(announced.pid(), memory);
        } catch (RdmaException e) {
            memory.close();
            throw e;
        }
    }

    /// Why the device of that address could not be reached; null when nothing is known.
    String obstacle(Gid gid) {
        return obstacles.get(gid);
    }

    /// From any thread.
    Map<Gid, String> obstacles() {
        return Map.copyOf(obstacles);
    }

    /// One more connection goes there.
    void retain(PeerDevice peer) {
        peer.users++;
    }

    /// One connection less; with the last one it is forgotten.
    void release(PeerDevice peer) {
        if (--peer.users == 0) {
            forget(peer);
        }
    }

    private void forget(PeerDevice peer) {
        byAddress.values().remove(peer);
        mapped.remove(peer);
        peer.close();
    }

    /// Looks which have ended. True when one has that a connection still goes to.
    boolean findGone() {
        boolean any = false;
        for (PeerDevice peer : mapped.toArray(PeerDevice[]::new)) {
            boolean gone = peer.findGone();
            if (gone && peer.users == 0) {
                forget(peer);
            }
            any |= gone && peer.users > 0;
        }
        return any;
    }

    /// Regions that their devices have closed; see [PeerDevice#forget].
    List<PeerRegion> forgetClosedRegions() {
        List<PeerRegion> closed = new ArrayList<>();
        for (PeerDevice peer : mapped) {
            closed.addAll(peer.forget(false));
        }
        return closed;
    }

    void close() {
        mapped.forEach(PeerDevice::close);
        mapped.clear();
        byAddress.clear();
    }
}
