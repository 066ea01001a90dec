package io.verbena.soft.os;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// Three threads count under a lock that prefers one of them: the other two take it from it, and from each other.
@JCStressTest
@Outcome(id = "6", expect = Expect.ACCEPTABLE, desc = "one after the other")
@State
public class BiasedLockThreeStress extends Guarded {
    public BiasedLockThreeStress() {
        preferMe();
    }

    private void countTwice() {
        lock.lock();
        add();
        lock.unlock();
        lock.lock();
        add();
        lock.unlock();
    }

    @Actor
    public void one() {
        countTwice();
    }

    @Actor
    public void other() {
        countTwice();
    }

    @Actor
    public void third() {
        countTwice();
    }

    @Arbiter
    public void sum(I_Result result) {
        result.r1 = sum();
    }
}
