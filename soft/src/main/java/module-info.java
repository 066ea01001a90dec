import io.verbena.soft.SoftProvider;
import io.verbena.verbs.spi.RdmaProvider;

/// The software RDMA device: RoCEv2 inside the JVM.
@SuppressWarnings("module") // the tools are not known here
module io.verbena.soft {
    requires transitive io.verbena.verbs;
    requires io.verbena.roce;
    requires jdk.net;
    // Used when they are there: small runtime images lack them.
    requires static jdk.jfr;
    requires static java.management;

    exports io.verbena.soft.fabric;
    exports io.verbena.soft.fault;
    exports io.verbena.soft.option;
    exports io.verbena.soft.status to
            io.verbena.tools;

    provides RdmaProvider with
            SoftProvider;
}
