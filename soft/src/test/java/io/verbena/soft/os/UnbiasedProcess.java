package io.verbena.soft.os;

import io.verbena.soft.rig.ChildJvm;
import java.io.IOException;
import java.util.List;

/// Another process in which the property `verbena.soft.biased` is `false`: runs tests there that must pass either way.
final class UnbiasedProcess {
    static final String FENCES = "fences";
    static final String LOCK = "lock";
    static final String PASSED = "passed";
    private static final List<String> OPTIONS =
            List.of("-XX:TieredStopAtLevel=4", "-D" + AsymmetricFence.PROPERTY + "=false");

    private UnbiasedProcess() {}

    static ChildJvm start(String what) throws IOException {
        return new ChildJvm(List.of(), OPTIONS, UnbiasedProcess.class, what);
    }

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case FENCES -> {
                System.out.println(AsymmetricFence.IN_PROCESS + " " + AsymmetricFence.ON_HOST);
                System.out.println(AsymmetricFenceTest.missedInProcess());
            }
            case LOCK -> {
                new BiasedLockTest().shouldKeepOthersOutWhileOneThreadIsPreferred();
                new BiasedLockTest().shouldCountRightWhenThreadsAreHotInTurnAndAtOnce();
                new BiasedLockTest().shouldBeTakenAgainByItsHolder();
                new BiasedLockTest().shouldShowTheHolderWhatOthersStoredWhoWereTurnedAway();
                new BiasedLockTest().shouldPreferAThreadUnlessTurnedOff();
                System.out.println(PASSED);
            }
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }
}
