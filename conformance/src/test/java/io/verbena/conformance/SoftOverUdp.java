package io.verbena.conformance;

/// Two software devices in one JVM that speak RoCEv2 over UDP, each on a loopback address that was free at the start.
final class SoftOverUdp extends SoftPairing {
    SoftOverUdp() {
        super("udp", LoopbackAddresses.free(), LoopbackAddresses.free(), LoopbackAddresses.free());
    }

    @Override
    public String name() {
        return "soft-soft over UDP";
    }
}
