package io.verbena.sockets;

import io.verbena.verbs.spi.ExitTasks;
import java.util.concurrent.atomic.AtomicBoolean;

/// Prints the counters when the JVM ends, if the property `verbena.sockets.report` asks for it.
final class ExitReport {
    static final String PROPERTY = "verbena.sockets.report";

    private static final AtomicBoolean INSTALLED = new AtomicBoolean();

    private static volatile boolean isUsed;

    private ExitReport() {}

    /// Once, however often it is called.
    static void install() {
        if (SocketProperties.isTrue(PROPERTY) && !INSTALLED.getAndSet(true)) {
            ExitTasks.add(ExitTasks.Step.REPORT, ExitReport::print);
        }
    }

    /// The program uses socket channels, whatever becomes of this one.
    static void onChannelOpened() {
        isUsed = true;
    }

    private static void print() {
        SocketCounters counters = SocketCounters.now();
        System.err.println(
                isUsed || !counters.fallbacks().isEmpty()
                        ? counters.toString()
                        : counters
                                + "; no socket channel was opened, and java.net.Socket is not a channel: it uses TCP");
    }
}
