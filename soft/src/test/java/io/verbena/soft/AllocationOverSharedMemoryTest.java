package io.verbena.soft;

class AllocationOverSharedMemoryTest extends AllocationTest implements OverSharedMemory {}
