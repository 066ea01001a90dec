package io.verbena.conformance;

/// Every contract between two software devices that share memory.
@RunOn(SoftOverSharedMemory.class)
class SoftOverSharedMemoryTest extends AllContracts {}
