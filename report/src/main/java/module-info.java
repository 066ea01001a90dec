/// What the command line and the benchmarks measure and write, for people and for programs.
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // HdrHistogram has no module descriptor
module io.verbena.report {
    requires tools.jackson.core;
    requires transitive HdrHistogram;
    requires java.management;
    requires jdk.management;

    exports io.verbena.report;
    exports io.verbena.report.measure;
}
