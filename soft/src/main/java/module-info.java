/// The software RDMA device.
module io.verbena.soft {
    requires io.verbena.verbs;
    requires io.verbena.roce;
}
