import io.verbena.verbs.spi.RdmaProvider;

/// The API that RDMA programs compile against.
module io.verbena.verbs {
    // Used when it is there: small runtime images lack it.
    requires static jdk.jfr;

    exports io.verbena.verbs;
    exports io.verbena.verbs.attr;
    exports io.verbena.verbs.cm;
    exports io.verbena.verbs.spi;

    uses RdmaProvider;
}
