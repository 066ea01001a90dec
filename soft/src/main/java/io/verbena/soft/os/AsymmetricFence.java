package io.verbena.soft.os;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/// A full fence that one thread makes in the others as well, by Linux's `membarrier`.
///
/// Where two sides each store and then look at what the other stored, both need a full fence in between, or both may
/// miss each other. A fence waits until all stores before it have left the processor, which after a message to another
/// core takes longer than the message itself. So whoever comes seldom (to take a lock away, to fall asleep, to close a
/// region) makes a rare-side fence, and who comes with every message needs only [#frequentSide].
///
/// What is left for the frequent side is to keep the compiler from swapping its store and its load. Java has no fence
/// for that alone. [VarHandle#loadLoadFence] does it in HotSpot, whose compilers move nothing across any fence, but its
/// specification promises it for loads only. The mutual exclusion of [BiasedLock], and the safety of memory that is
/// closed while a neighbour copies, rest on it; `AsymmetricFenceTest` guards it, a litmus test.
///
/// The system property `verbena.soft.biased` set to `false` does without: then both sides make full fences, in this
/// process and towards neighbours, and a [BiasedLock] prefers nobody. It is read once.
public final class AsymmetricFence {
    /// The name of the property that turns all this off.
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

    /// Whether [#rareSideOnHost] of another process that says the same of itself reaches all threads of this one.
    public static final boolean ON_HOST = WANTED && call(REGISTER_GLOBAL);

    private AsymmetricFence() {}

    private static MethodHandle link() {
        String machine = System.getProperty("os.arch");
        boolean known = "amd64".equals(machine) || "aarch64".equals(machine);
        if (!known || !"Linux".equals(System.getProperty("os.name"))) {
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

    /// The other half: between a store and a load of a thread that comes often. It keeps the compiler from changing
    /// their order; the processor is the rare side's business. Only where [#IN_PROCESS] or [#ON_HOST] says that there
    /// is a rare side.
    public static void frequentSide() {
        VarHandle.loadLoadFence();
    }

    /// As [#frequentSide] where the rare side reaches all threads of this process, else a full fence.
    public static void frequentSideInProcess() {
        if (IN_PROCESS) {
            frequentSide();
        } else {
            VarHandle.fullFence();
        }
    }

    /// Afterwards every thread of this process has had a full fence, if not by this then by [#frequentSideInProcess].
    public static void rareSideInProcess() {
        VarHandle.fullFence();
        if (IN_PROCESS) {
            insist(PRIVATE);
        }
    }

    /// Afterwards every thread of every registered process of this host has had a full fence.
    public static void rareSideOnHost() {
        VarHandle.fullFence();
        if (ON_HOST) {
            insist(GLOBAL);
        }
    }

    /// The kernel may be short of memory for a moment.
    private static void insist(int command) {
        for (int i = 0; i < ATTEMPTS; i++) {
            if (call(command)) {
                return;
            }
            Thread.yield();
        }
        throw new IllegalStateException("membarrier fails again and again after it was registered");
    }
}
