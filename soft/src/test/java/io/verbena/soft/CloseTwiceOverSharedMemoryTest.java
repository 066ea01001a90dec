package io.verbena.soft;

class CloseTwiceOverSharedMemoryTest extends CloseTwiceTest implements OverSharedMemory {}
