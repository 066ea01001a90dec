package io.verbena.soft.cm;

import io.verbena.soft.OverSharedMemory;

class ManyConnectionsOverSharedMemoryTest extends ManyConnectionsTest implements OverSharedMemory {}
