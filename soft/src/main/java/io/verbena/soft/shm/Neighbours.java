package io.verbena.soft.shm;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Gid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The other devices of this host that a device knows: those that it has connections to. Owned by the engine.
final class Neighbours {
    private static final String BELL = "bell-";

    private final SharedFolder folder;
    private final Map<Gid, PeerDevice> byAddress = new HashMap<>();
    /// All that are mapped; of an address that changed hands more than the last one.
    private final List<PeerDevice> mapped = new ArrayList<>();

    Neighbours(SharedFolder folder) {
        this.folder = folder;
    }

    /// What a device is announced under. An address means one device in one network namespace only.
    static String key(Gid gid) {
        try {
            String namespace = Files.readSymbolicLink(Path.of("/proc/self/ns/net"))
                    .toString()
                    .replaceAll("[^0-9]", "");
            return namespace + "-" + gid.toString().replace(':', '.');
        } catch (IOException e) {
            throw new RdmaException(
                    "share memory",
                    Errno.EOPNOTSUPP,
                    "the network namespace is not known, is /proc mounted? " + e.getMessage(),
                    e);
        }
    }

    static String bellName(String deviceName) {
        return BELL + deviceName;
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
        Announcement announced = folder.find(key(gid));
        return announced == null ? null : open(gid, announced);
    }

    private PeerDevice open(Gid gid, Announcement announced) {
        try {
            SharedFile file = folder.open(announced.process(), announced.name());
            if (!PeerDevice.isOne(file)) {
                file.close();
                return null;
            }
            PeerDevice peer = new PeerDevice(folder, announced.process(), file, bellOf(announced, file));
            byAddress.put(gid, peer);
            mapped.add(peer);
            return peer;
        } catch (RdmaException closedMeanwhile) {
            return null;
        }
    }

    private Bell bellOf(Announcement announced, SharedFile file) {
        try {
            return folder.openBell(announced.process(), bellName(announced.name()));
        } catch (RuntimeException e) {
            file.close();
            throw e;
        }
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

    /// Looks which have ended, and frees what is not needed any more. True when one has that a connection still goes
    /// to.
    boolean lookAround() {
        boolean gone = false;
        for (PeerDevice peer : mapped.toArray(PeerDevice[]::new)) {
            if (peer.findGone() && peer.users == 0) {
                forget(peer);
                continue;
            }
            gone |= peer.isGone();
            peer.sweep();
        }
        return gone;
    }

    void close() {
        mapped.forEach(PeerDevice::close);
        mapped.clear();
        byAddress.clear();
    }
}
