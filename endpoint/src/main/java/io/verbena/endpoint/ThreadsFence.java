package io.verbena.endpoint;

import java.lang.foreign.Arena;
import java.lang.invoke.VarHandle;

/// A memory fence that one thread executes for all threads of the process. Where two sides each store a word and then
/// load the other's word, both need a full fence in between. The side that acts seldom executes it for both.
///
/// It rests on HotSpot: closing a shared arena makes each thread pass a handshake, before and after which it has
/// executed a full fence, and the compilers move nothing across [VarHandle#loadLoadFence]. On other JVMs, and with the
/// system property `verbena.endpoint.biased` set to `false`, there is no such fence.
final class ThreadsFence {
    /// Whether there is such a fence.
    static final boolean IS_KNOWN = isKnown();

    private ThreadsFence() {}

    private static boolean isKnown() {
        String name = System.getProperty("java.vm.name", "");
        boolean isHotSpot = name.contains("HotSpot") || name.startsWith("OpenJDK 64-Bit");
        return isHotSpot && !"false".equals(System.getProperty("verbena.endpoint.biased"));
    }

    /// To be called between a store and a load. It keeps the compiler from swapping them.
    static void frequentSide() {
        VarHandle.loadLoadFence();
    }

    /// Afterwards every thread of this process has executed a full fence.
    static void rareSide() {
        VarHandle.fullFence();
        Arena.ofShared().close();
    }
}
