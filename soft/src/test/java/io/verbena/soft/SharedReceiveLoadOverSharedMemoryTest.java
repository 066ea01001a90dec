package io.verbena.soft;

class SharedReceiveLoadOverSharedMemoryTest extends SharedReceiveLoadTest implements OverSharedMemory {}
