package io.verbena.conformance;

/// Every contract between two software devices.
@RunOn(SoftOverUdp.class)
class SoftOverUdpTest extends AllContracts {}
