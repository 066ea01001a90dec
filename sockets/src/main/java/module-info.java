/// Socket channels, selectors and a selector provider over RDMA. The protocol is that of librdmacm's rsockets. Written
/// against the verbs alone, so it runs on adapters and on the software device.
module io.verbena.sockets {
    requires transitive io.verbena.verbs;
    requires jdk.jfr;

    exports io.verbena.sockets;
}
