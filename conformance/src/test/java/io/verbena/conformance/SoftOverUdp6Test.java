package io.verbena.conformance;

import org.junit.jupiter.api.Tag;

/// Every contract on a software device over IPv6.
@RunOn(SoftOverUdp6.class)
@Tag("slow")
class SoftOverUdp6Test extends AllContracts {}
