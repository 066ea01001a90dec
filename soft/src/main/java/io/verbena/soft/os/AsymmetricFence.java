package io.verbena.soft.os;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/// A memory fence that one thread executes for all others as well, by Linux's `membarrier`.
///
/// Where two sides each store a word and then load the other's word, both need a full fence in between. Otherwise both
/// may miss the other's store. A full fence waits until all stores before it have left the processor, which after a
/// message to another core takes longer than the message itself. So the side that acts seldom (to revoke a bias, to
/// fall asleep, to close a region) executes the fence for both, and the side that acts with every message only calls
/// [#frequentSide].
///
/// The frequent side must only keep the compiler from swapping its store and its load. Java has no fence for that
/// alone. [VarHandle#loadLoadFence] does it in HotSpot, whose compilers move nothing across any fence, but its
/// specification promises it for loads only. The mutual exclusion of [BiasedLock], and the safety of memory that is
/// closed while a neighbour copies, rest on it. `AsymmetricFenceTest` checks it with a litmus test.
///
/// The system property `verbena.soft.biased` set to `false` turns this off: then both sides execute full fences, in
/// this process and towards neighbours, and a [BiasedLock] has no bias. The property is read once.
public final class AsymmetricFence {
    /// The name of the property that turns asymmetric fences off.
    static final String PROPERTY = "verbena.soft.biased";

    private static final int ATTEMPTS = 1000;
    private static final int GLOBAL = 1 << 1;
    private static final int REGISTER_GLOBAL = 1 << 2;
    private static final int PRIVATE = 1 << 3;
    private static final int REGISTER_PRIVATE = 1 << 4;

    private static final boolean WANTED = !"false".equals(System.getProperty(PROPERTY));

    /// Null where there is no such call.
    private static final MethodHandle SYSTEM_CALL = link();

    private static final long NUMBER = "aarch64".equals(System.getProperty("os.arch")) ? 283 : 324;

    /// Whether [#rareSideInProcess] reaches all threads of this process.
    public static final boolean IN_PROCESS = WANTED && call(REGISTER_PRIVATE);

    /// Whether [#rareSideOnHost] of another process reaches all threads of this one, if this is true there, too.
    public static final boolean ON_HOST = WANTED && call(REGISTER_GLOBAL);

    private AsymmetricFence() {}

    private static MethodHandle link() {
        if (!Platform.isKnown()) {
            return null;
        }
        if (!AsymmetricFence.class.getModule().isNativeAccessEnabled()) {
            // A process that opened a socket by native calls has native access by now. A simulated device must not
            // cause the JVM's warning.
            return null;
        }
        try {
            return CLibrary.plainFunction("syscall", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT);
        } catch (LinkageError | IllegalCallerException noNativeAccess) {
            return null;
        }
    }

    private static boolean call(int command) {
        if (SYSTEM_CALL == null) {
            return false;
        }
        try {
            return (long) SYSTEM_CALL.invokeExact(NUMBER, command, 0, 0) == 0;
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    /// To be called between a store and a load on the frequent side. It keeps the compiler from swapping them; the rare
    /// side takes care of the processor. Only where [#IN_PROCESS] or [#ON_HOST] is true.
    public static void frequentSide() {
        VarHandle.loadLoadFence();
    }

    /// Like [#frequentSide] where the rare side reaches all threads of this process, else a full fence.
    public static void frequentSideInProcess() {
        if (IN_PROCESS) {
            frequentSide();
        } else {
            VarHandle.fullFence();
        }
    }

    /// Afterwards every thread of this process has executed a full fence, by this call or by [#frequentSideInProcess].
    public static void rareSideInProcess() {
        VarHandle.fullFence();
        if (IN_PROCESS) {
            insist(PRIVATE);
        }
    }

    /// Afterwards every thread of every registered process of this host has executed a full fence.
    public static void rareSideOnHost() {
        VarHandle.fullFence();
        if (ON_HOST) {
            insist(GLOBAL);
        }
    }

    /// Retries, because the kernel may be short of memory for a moment.
    private static void insist(int command) {
        for (int i = 0; i < ATTEMPTS; i++) {
            if (call(command)) {
                return;
            }
            Thread.yield();
        }
        throw new IllegalStateException("membarrier was registered, but failed " + ATTEMPTS + " times");
    }
}
