/// The API that RDMA programs compile against.
module io.verbena.verbs {}
