package io.verbena.verbs.cm;

import io.verbena.verbs.attr.AddressVector;

/// How to reach a resolved datagram service. Counterpart of `struct rdma_ud_param`.
public record DatagramPeer(AddressVector address, int qpNumber, int qkey) {}
