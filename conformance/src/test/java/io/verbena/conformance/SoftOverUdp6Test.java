package io.verbena.conformance;

/// Every contract on a software device over IPv6.
@RunOn(SoftOverUdp6.class)
class SoftOverUdp6Test extends AllContracts {}
