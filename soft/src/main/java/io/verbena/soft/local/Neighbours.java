package io.verbena.soft.local;

import io.verbena.soft.os.Announcement;
import io.verbena.soft.os.Bell;
import io.verbena.soft.os.SealedMemory;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Gid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/// The neighbours that a device has connections to. Owned by the engine, except for [#unreachableReasons].
final class Neighbours {
    private final Neighbourhood neighbourhood;
    private final Predicate<Bell> watch;
    /// All mapped device pages.
    private final List<PeerDevice> mapped = new ArrayList<>();

    private final Map<Gid, String> unreachableReasons = new ConcurrentHashMap<>();

    /// @param watch sees to it that a sleeping thread is woken when the maker of a bell ends; false when it cannot
    Neighbours(Neighbourhood neighbourhood, Predicate<Bell> watch) {
        this.neighbourhood = neighbourhood;
        this.watch = watch;
    }

    /// The device of that address which has that queue pair, or null when none shows it here.
    PeerDevice find(Gid gid, int qpNumber) {
        for (PeerDevice known : List.copyOf(mapped)) {
            if (known.gid().equals(gid) && known.shows(qpNumber) && !known.checkGone()) {
                return known;
            }
        }
        unreachableReasons.remove(gid);
        for (Announcement announced : neighbourhood.find(gid)) {
            PeerDevice opened = isMapped(announced) ? null : open(gid, announced);
            if (opened != null && opened.shows(qpNumber)) {
                unreachableReasons.remove(gid);
                return opened;
            }
            if (opened != null) {
                forget(opened);
            }
        }
        return null;
    }

    private boolean isMapped(Announcement announced) {
        return mapped.stream().anyMatch(peer -> peer.nonce() == announced.nonce());
    }

    private PeerDevice open(Gid gid, Announcement announced) {
        SealedMemory memory = null;
        try {
            memory = SealedMemory.open(announced.pid(), announced.memoryFd(), announced.nonce(), DeviceLayout.BYTES);
            if (PeerDevice.isDevicePage(memory)) {
                PeerDevice peer = new PeerDevice(gid, announced.pid(), memory);
                peer.isWatched = watch.test(peer.bell());
                mapped.add(peer);
                return peer;
            }
            unreachableReasons.put(gid, "it was made by another version of the software device");
        } catch (RdmaException notThere) {
            unreachableReasons.put(gid, notThere.getMessage());
        }
        if (memory != null) {
            memory.close();
        }
        return null;
    }

    /// Why the device of that address cannot be reached; null when unknown.
    String unreachableReason(Gid gid) {
        return unreachableReasons.get(gid);
    }

    /// From any thread.
    Map<Gid, String> unreachableReasons() {
        return Map.copyOf(unreachableReasons);
    }

    /// One connection more uses that device.
    void retain(PeerDevice peer) {
        peer.users++;
    }

    /// One connection less uses that device. The last one unmaps it.
    void release(PeerDevice peer) {
        if (--peer.users == 0) {
            forget(peer);
        }
    }

    private void forget(PeerDevice peer) {
        mapped.remove(peer);
        peer.close();
    }

    /// Checks which neighbours have ended. True when one of them still has a connection.
    boolean checkGone() {
        boolean any = false;
        for (PeerDevice peer : mapped.toArray(PeerDevice[]::new)) {
            boolean gone = peer.checkGone();
            if (gone && peer.users == 0) {
                forget(peer);
            }
            any |= gone && peer.users > 0;
        }
        return any;
    }

    boolean areWatched() {
        return mapped.stream().allMatch(peer -> peer.isWatched);
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
    }
}
