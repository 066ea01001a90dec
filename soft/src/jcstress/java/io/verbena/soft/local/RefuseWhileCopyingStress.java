package io.verbena.soft.local;

import io.verbena.soft.os.AsymmetricFence;
import io.verbena.soft.os.SealedMemory;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// A queue pair ends while its peer copies, as in [LocalDevice#remove]: either the closer sees that the peer is busy
/// and waits, or the peer sees that it is refused.
@JCStressTest
@Outcome(
        id = {"1, 1", "1, 0", "0, 0"},
        expect = Expect.ACCEPTABLE,
        desc = "copied while the memory was there, or was refused")
@State
public class RefuseWhileCopyingStress {
    private final SealedMemory lane = Neighbour.takeMemory();
    private final OwnLane own = Neighbour.own(lane);
    private final PeerLane peer = Neighbour.peer(lane);
    /// What is copied: all ones until it is freed.
    private final int[] memory = {1, 1, 1, 1};

    public RefuseWhileCopyingStress() {
        own.allowAccess(Neighbour.RIGHTS, Neighbour.DOMAIN);
    }

    /// 1 for a whole copy, 0 when refused, -1 for memory that was freed meanwhile.
    private int copy(long role) {
        int copied = 0;
        peer.enterMemory(role);
        if (LaneLayout.accepts(peer.accepting(), Neighbour.RIGHTS)) {
            copied = memory[0] + memory[1] + memory[2] + memory[3] == memory.length ? 1 : -1;
        }
        peer.leaveMemory(role);
        return copied;
    }

    @Actor
    public void copier(II_Result copied) {
        copied.r1 = copy(PeerLane.AS_REQUESTER);
        copied.r2 = copy(PeerLane.AS_RESPONDER);
    }

    @Actor
    public void closer() {
        own.refuseAccess();
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
