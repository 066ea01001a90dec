import io.verbena.soft.SoftProvider;
import io.verbena.verbs.spi.RdmaProvider;

/// The software RDMA device: RoCEv2 inside the JVM.
module io.verbena.soft {
    requires transitive io.verbena.verbs;
    requires io.verbena.roce;
    requires jdk.net;

    exports io.verbena.soft.fabric;
    exports io.verbena.soft.fault;
    exports io.verbena.soft.option;

    provides RdmaProvider with
            SoftProvider;
}
