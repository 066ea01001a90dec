/// The command line.
@SuppressWarnings("requires-automatic") // HdrHistogram has no module descriptor
module io.verbena.tools {
    requires io.verbena.verbs;
    requires io.verbena.roce;
    requires io.verbena.soft;
    requires io.verbena.rdmacore;
    requires info.picocli;
    requires HdrHistogram;
    requires java.management;

    // picocli finds options and parameters by reflection
    opens io.verbena.tools to
            info.picocli;
    opens io.verbena.tools.demo to
            info.picocli;
    opens io.verbena.tools.device to
            info.picocli;
    opens io.verbena.tools.doctor to
            info.picocli;
    opens io.verbena.tools.perf to
            info.picocli;
    opens io.verbena.tools.rping to
            info.picocli;
    opens io.verbena.tools.text to
            info.picocli;
}
