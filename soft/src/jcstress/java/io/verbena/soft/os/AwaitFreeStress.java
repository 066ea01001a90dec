package io.verbena.soft.os;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// Memory is freed while a thread copies, as in [io.verbena.soft.local.LocalDevice#awaitCopies]: the key is removed,
/// then everybody who was inside a lock has left it. Afterwards nobody is inside with the old key.
@JCStressTest
@Outcome(
        id = {"1, 1", "1, 0", "0, 0"},
        expect = Expect.ACCEPTABLE,
        desc = "copied while the memory was there, or found no key")
@State
public class AwaitFreeStress extends Guarded {
    private static final VarHandle KEY = FieldHandle.of(MethodHandles.lookup(), "key", int.class);

    private int key = 1;
    /// What is copied: all ones until it is freed.
    private final int[] memory = new int[32];

    public AwaitFreeStress() {
        Arrays.fill(memory, 1);
        preferMe();
    }

    /// 1 for a whole copy, 0 when there is no key, -1 for memory that was freed meanwhile.
    private int copy() {
        lock.lock();
        int copied = 0;
        if ((int) KEY.getAcquire(this) != 0) {
            int sum = 0;
            for (int i = memory.length - 1; i >= 0; i--) {
                sum += memory[i];
            }
            copied = sum == memory.length ? 1 : -1;
        }
        lock.unlock();
        return copied;
    }

    @Actor
    public void copier(II_Result copied) {
        copied.r1 = copy();
        copied.r2 = copy();
    }

    @Actor
    public void closer() {
        KEY.setVolatile(this, 0);
        AsymmetricFence.rareSideInProcess();
        lock.awaitFree();
        Arrays.fill(memory, 0);
    }
}
