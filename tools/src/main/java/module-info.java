/// The command line. Open, because picocli finds options and parameters of every program by reflection.
@SuppressWarnings("requires-automatic") // HdrHistogram has no module descriptor
open module io.verbena.tools {
    /// For programs that write a trace of themselves.
    exports io.verbena.tools.trace;

    requires transitive io.verbena.verbs;
    requires io.verbena.roce;
    requires io.verbena.soft;
    requires io.verbena.rdmacore;
    requires io.verbena.report;
    requires io.verbena.sockets;
    requires info.picocli;
    requires HdrHistogram;
    requires java.management;
    requires jdk.httpserver;
    requires jdk.management;
    requires jdk.jfr;
    requires jdk.net;
}
