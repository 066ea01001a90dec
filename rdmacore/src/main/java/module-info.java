import io.verbena.rdmacore.NativeProvider;
import io.verbena.verbs.spi.RdmaProvider;

/// RDMA adapters, by way of rdma-core's libraries.
module io.verbena.rdmacore {
    requires transitive io.verbena.verbs;

    provides RdmaProvider with
            NativeProvider;
}
