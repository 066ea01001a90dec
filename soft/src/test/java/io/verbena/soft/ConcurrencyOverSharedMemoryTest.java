package io.verbena.soft;

class ConcurrencyOverSharedMemoryTest extends ConcurrencyTest implements OverSharedMemory {}
