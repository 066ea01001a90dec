/// Connections for RDMA programs: messages of any length, calls, remote memory, flow control. Written against the verbs
/// alone, so it runs on adapters, on the software device and in the simulated network.
module io.verbena.endpoint {
    requires transitive io.verbena.verbs;
    requires jdk.jfr;

    exports io.verbena.endpoint;
}
