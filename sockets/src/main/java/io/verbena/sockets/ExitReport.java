package io.verbena.sockets;

import io.verbena.verbs.spi.ExitTasks;
import java.util.concurrent.atomic.AtomicBoolean;

/// Prints the counters when the JVM ends, if the property `verbena.sockets.report` asks for it.
final class ExitReport {
    static final String PROPERTY = "verbena.sockets.report";

    private static final AtomicBoolean INSTALLED = new AtomicBoolean();

    private ExitReport() {}

    /// Once, however often it is called.
    static void install() {
        if (SocketProperties.isTrue(PROPERTY) && !INSTALLED.getAndSet(true)) {
            ExitTasks.add(ExitTasks.Step.REPORT, ExitReport::print);
        }
    }

    private static void print() {
        SocketCounters counters = SocketCounters.now();
        boolean isUnused = counters.rdmaConnections() + counters.tcpConnections() == 0
                && counters.fallbacks().isEmpty();
        System.err.println(
                isUnused
                        ? counters
                                + "; no socket channel was connected, and java.net.Socket is not a channel: it uses TCP"
                        : counters.toString());
    }
}
