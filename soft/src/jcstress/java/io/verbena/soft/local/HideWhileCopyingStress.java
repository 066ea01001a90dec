package io.verbena.soft.local;

import io.verbena.soft.os.AsymmetricFence;
import io.verbena.soft.os.SealedMemory;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// A region is closed while a neighbour copies, as in [LocalDevice#hide] and [LocalDevice#awaitNeighbours]: either the
/// closer sees that the neighbour is busy and waits, or the neighbour sees that the region is not open any more.
@JCStressTest
@Outcome(
        id = {"1, 1", "1, 0", "0, 0"},
        expect = Expect.ACCEPTABLE,
        desc = "copied while the memory was there, or found it closed")
@State
public class HideWhileCopyingStress {
    private static final long REGISTRATION = 7;

    private final SealedMemory lane = Neighbour.takeMemory();
    private final OwnLane own = Neighbour.own(lane);
    private final PeerLane peer = Neighbour.peer(lane);
    /// The region's slot, which lies in the page of its device otherwise.
    private final MemorySegment slot = lane.memory().asSlice(LaneLayout.REQUESTS_AT - 64);

    private final PeerRegion region =
            new PeerRegion(slot, 0, lane, REGISTRATION, 1, Neighbour.RIGHTS, Neighbour.DOMAIN, 0, 64);
    /// What is copied: all ones until it is freed.
    private final int[] memory = {1, 1, 1, 1};

    public HideWhileCopyingStress() {
        DeviceLayout.LONG.setVolatile(slot, 0L, REGISTRATION);
    }

    /// 1 for a whole copy, 0 when the region is closed, -1 for memory that was freed meanwhile.
    private int copy() {
        int copied = 0;
        peer.enterMemory(PeerLane.AS_REQUESTER);
        if (region.isOpen()) {
            copied = memory[0] + memory[1] + memory[2] + memory[3] == memory.length ? 1 : -1;
        }
        peer.leaveMemory(PeerLane.AS_REQUESTER);
        return copied;
    }

    @Actor
    public void copier(II_Result copied) {
        copied.r1 = copy();
        copied.r2 = copy();
    }

    @Actor
    public void closer() {
        DeviceLayout.LONG.setVolatile(slot, 0L, 0L);
        AsymmetricFence.rareSideOnHost();
        while (own.isPeerBusy()) {
            Thread.onSpinWait();
        }
        for (int i = 0; i < memory.length; i++) {
            memory[i] = 0;
        }
    }

    @Arbiter
    public void end(II_Result copied) {
        Neighbour.giveBack(lane);
    }
}
