package io.verbena.sockets;

/// Prints the counters when the JVM ends, if the property `verbena.sockets.report` asks for it.
final class ExitReport {
    static final String PROPERTY = "verbena.sockets.report";

    private ExitReport() {}

    static void install() {
        if (SocketProperties.isTrue(PROPERTY)) {
            Runtime.getRuntime()
                    .addShutdownHook(
                            Thread.ofPlatform().name("verbena-sockets-report").unstarted(ExitReport::print));
        }
    }

    private static void print() {
        System.err.println(SocketCounters.now());
    }
}
