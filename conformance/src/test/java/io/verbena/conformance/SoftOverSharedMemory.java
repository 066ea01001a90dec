package io.verbena.conformance;

/// Two software devices in one JVM whose reliable connections go through shared memory.
final class SoftOverSharedMemory extends SoftPairing {
    SoftOverSharedMemory() {
        super("auto", LoopbackAddresses.free(), LoopbackAddresses.free(), LoopbackAddresses.free());
    }

    @Override
    public String name() {
        return "soft-soft over shared memory";
    }
}
