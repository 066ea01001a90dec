package io.verbena.soft.local;

import io.verbena.soft.os.Bell;
import io.verbena.soft.os.SealedMemory;
import io.verbena.verbs.attr.Gid;
import java.lang.foreign.ValueLayout;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// What both ends of a lane need, without the devices around them.
final class Neighbour {
    static final int RIGHTS = 3;
    static final int DOMAIN = 5;

    private static final Queue<SealedMemory> UNUSED = new ConcurrentLinkedQueue<>();

    /// This process, which says of itself that it makes the rare side of fences.
    private static final PeerDevice DEVICE;

    static {
        SealedMemory page = SealedMemory.create(DeviceLayout.BYTES, false);
        page.memory().set(ValueLayout.JAVA_INT, DeviceLayout.FENCES_AT, 1);
        page.memory().set(ValueLayout.JAVA_INT, DeviceLayout.BELL_AT, Bell.create().ringFd());
        DEVICE = new PeerDevice(new Gid(0, 1), ProcessHandle.current().pid(), page);
    }

    private Neighbour() {}

    /// Zeros for the words of a lane, or for a small ring. Mapping memory takes long, so it is used again.
    static SealedMemory takeMemory() {
        SealedMemory lane = UNUSED.poll();
        if (lane == null) {
            lane = SealedMemory.create(LaneLayout.REQUESTS_AT, true);
            lane.closeDescriptor();
        }
        lane.memory().fill((byte) 0);
        return lane;
    }

    static void giveBack(SealedMemory lane) {
        UNUSED.add(lane);
    }

    static OwnLane own(SealedMemory lane) {
        return new OwnLane(lane, 1, 2, 3, 4, 5);
    }

    static PeerLane peer(SealedMemory lane) {
        return new PeerLane(lane, DEVICE);
    }
}
