/// The command line. Open, because picocli finds options and parameters of every program by reflection.
@SuppressWarnings("requires-automatic") // HdrHistogram has no module descriptor
open module io.verbena.tools {
    requires io.verbena.verbs;
    requires io.verbena.roce;
    requires io.verbena.soft;
    requires io.verbena.rdmacore;
    requires io.verbena.report;
    requires info.picocli;
    requires HdrHistogram;
    requires java.management;
    requires jdk.management;
    requires jdk.net;
}
