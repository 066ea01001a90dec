package io.verbena.soft.os;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// One thread stays long in a lock, which prefers it or the other: who comes meanwhile gives up, takes back that it
/// wanted the lock, and comes again.
@JCStressTest
@Outcome(id = "4", expect = Expect.ACCEPTABLE, desc = "one after the other")
@State
public class BiasedLockLongStress extends Guarded {
    public BiasedLockLongStress() {
        preferMe();
    }

    @Actor
    public void slow() {
        lock.lock();
        addSlowly();
        lock.unlock();
        lock.lock();
        add();
        lock.unlock();
    }

    @Actor
    public void fast() {
        lock.lock();
        add();
        lock.unlock();
        lock.lock();
        add();
        lock.unlock();
    }

    @Arbiter
    public void sum(I_Result result) {
        result.r1 = sum();
    }
}
