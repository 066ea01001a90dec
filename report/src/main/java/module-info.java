/// What the command line and the benchmarks write for people and for programs.
module io.verbena.report {
    requires tools.jackson.core;

    exports io.verbena.report;
}
