package io.verbena.soft.os;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// Two threads take a lock that prefers one of them, and again while they have it: it is free only after both are
/// given back.
@JCStressTest
@Outcome(id = "6", expect = Expect.ACCEPTABLE, desc = "one after the other")
@State
public class BiasedLockNestedStress extends Guarded {
    public BiasedLockNestedStress() {
        preferMe();
    }

    private void countThrice() {
        lock.lock();
        add();
        if (lock.tryLock()) {
            add();
            lock.unlock();
        }
        add();
        lock.unlock();
    }

    @Actor
    public void one() {
        countThrice();
    }

    @Actor
    public void other() {
        countThrice();
    }

    @Arbiter
    public void sum(I_Result result) {
        result.r1 = sum();
    }
}
