package io.verbena.soft.os;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// Two threads count under a lock that prefers one of them.
@JCStressTest
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "one after the other")
@State
public class BiasedLockStress extends Guarded {
    public BiasedLockStress() {
        preferMe();
    }

    private void count() {
        lock.lock();
        add();
        lock.unlock();
    }

    @Actor
    public void one() {
        count();
    }

    @Actor
    public void other() {
        count();
    }

    @Arbiter
    public void sum(I_Result result) {
        result.r1 = sum();
    }
}
