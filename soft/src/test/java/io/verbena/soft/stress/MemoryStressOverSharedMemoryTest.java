package io.verbena.soft.stress;

import io.verbena.soft.OverSharedMemory;

class MemoryStressOverSharedMemoryTest extends MemoryStressTest implements OverSharedMemory {}
