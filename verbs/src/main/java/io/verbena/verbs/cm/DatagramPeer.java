package io.verbena.verbs.cm;

import io.verbena.verbs.attr.AddressVector;

/// How to reach a resolved datagram service or a multicast group: make an address handle of `address`, and give
/// it to [io.verbena.verbs.SendRequest#to] with the other two. Counterpart of `struct rdma_ud_param`.
public record DatagramPeer(AddressVector address, int qpNumber, int qkey) {}
