package io.verbena.sockets;

import io.verbena.verbs.spi.ExitTasks;
import java.net.InetAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/// The hubs of this JVM by local address. A hub stays once it is there.
final class Hubs {
    private static final long LONGEST_EXIT_NS = TimeUnit.SECONDS.toNanos(2);
    private static final ConcurrentHashMap<InetAddress, Hub> HUBS = new ConcurrentHashMap<>();
    private static final ReentrantLock OPENING = new ReentrantLock();

    static {
        ExitTasks.add(ExitTasks.Step.CLOSE_CONNECTIONS, Hubs::exit);
    }

    private Hubs() {}

    /// The hub of an address of this host.
    ///
    /// @throws RdmaException when no device serves the address
    static Hub at(InetAddress local) {
        Hub hub = HUBS.get(local);
        if (hub != null) {
            return hub;
        }
        OPENING.lock();
        try {
            hub = HUBS.get(local);
            if (hub == null) {
                hub = open(local);
                HUBS.put(local, hub);
            }
            return hub;
        } finally {
            OPENING.unlock();
        }
    }

    /// Providers are found by the class loader of the thread, which may be one of the program that does not know them.
    private static Hub open(InetAddress local) {
        Thread me = Thread.currentThread();
        ClassLoader before = me.getContextClassLoader();
        me.setContextClassLoader(Hubs.class.getClassLoader());
        try {
            return new Hub(local);
        } finally {
            me.setContextClassLoader(before);
        }
    }

    /// A kernel would send what is left of a process. Here it has to leave before the process does, and peers have to
    /// hear that nothing more comes.
    private static void exit() {
        for (Hub hub : HUBS.values()) {
            for (RdmaStream stream : hub.streams().all()) {
                if (stream != null) {
                    stream.close();
                }
            }
        }
        long startNs = System.nanoTime();
        while (HUBS.values().stream().anyMatch(hub -> hub.streams().hasClosing())
                && System.nanoTime() - startNs < LONGEST_EXIT_NS) {
            HUBS.values().forEach(Hub::poll);
            LockSupport.parkNanos(100_000);
        }
    }
}
