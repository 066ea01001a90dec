package io.verbena.soft.stress;

import io.verbena.soft.OverSharedMemory;

class CloseStressOverSharedMemoryTest extends CloseStressTest implements OverSharedMemory {}
