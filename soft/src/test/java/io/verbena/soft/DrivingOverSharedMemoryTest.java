package io.verbena.soft;

class DrivingOverSharedMemoryTest extends DrivingTest implements OverSharedMemory {}
